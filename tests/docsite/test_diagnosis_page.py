"""The page that `diagnose` writes, judged by axe-core as the pages of the site are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.docsite.test_accessibility import AXE, JUDGE
from tests.validators.diagnose.measured import breaks, gain, report
from validators.diagnose.compare.reports import compare_diagnoses
from validators.diagnose.findings.finding import Excerpt, Explanation, Finding, Place
from validators.diagnose.report.html import page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with everything on it, opened from disk."""
    place = Place("model.py", 2, "if x.sum() > 0: " + "x " * 200)
    findings = [
        Finding(
            "graph_break",
            f"break {number}",
            "once",
            Explanation(known, "GB0170", "a_case", "An `if` breaks", "Use `torch.where`.", "there"),
            place=place,
            stack=[place],
            text="torch says",
            excerpt=Excerpt(1, ["def f(x):", place.code]),
        )
        for number, known in enumerate(("explained", "suspected", "unknown"))
    ]
    made = report(findings, breaks=breaks(1), gain=gain(1.2), failed="results")
    made.command = "python -m validators diagnose model.py:example"
    before = report(findings[:1], breaks=breaks(2), gain=gain(1.4))
    made.against = compare_diagnoses(before, made, 0.05)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page(made, "https://casebook.example"), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_violation(browser: Any, written: Path, scheme: str, width: int) -> None:
    """Wide and narrow, light and dark; and the page is no wider than its window."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(written.as_uri())
    browser.execute_script(AXE)
    found = browser.execute_async_script(JUDGE)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert not found, "\n".join(found)
    assert wide <= width


def test_it_asks_for_nothing_but_itself(browser: Any, written: Path) -> None:
    """No request leaves, and the console stays empty."""
    browser.get("about:blank")
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(written.as_uri())
    events = [json.loads(it["message"])["message"] for it in browser.get_log("performance")]
    sent = [it["params"]["request"]["url"] for it in events if it["method"].endswith("WillBeSent")]
    assert sent == [written.as_uri()]
    assert browser.get_log("browser") == []
