"""The site opened from disk in headless Chromium, with no network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.smoke
@pytest.mark.parametrize("path", ["index.html", "catalog/tensor_branch/index.html"])
def test_a_page_opens_from_disk_in_silence(browser: Any, site: Path, path: str) -> None:
    """No console errors, and no request leaves the disk."""
    browser.get("about:blank")
    for log in ("browser", "performance"):  # what earlier pages left there
        browser.get_log(log)
    browser.get((site / path).as_uri())
    assert "Casebook" in browser.title
    errors = [e for e in browser.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
    assert errors == []
    schemes = {url.partition(":")[0] for url in requests(browser)}
    assert "file" in schemes and not schemes & {"http", "https", "ws", "wss"}


@pytest.mark.parametrize("start", ["index.html", "catalog/never_run/index.html"])
@pytest.mark.parametrize(
    ("query", "case"),
    [
        pytest.param("tensor_branch", "tensor_branch", marks=pytest.mark.smoke),
        ("old-branch", "tensor_branch"),
        ("mark_unbaked", "unbacked_dim"),
        ("GB0170", "tensor_branch"),
        ("gb0170", "tensor_branch"),
    ],
)
def test_search_from_disk_finds_the_case(
    browser: Any, site: Path, start: str, query: str, case: str
) -> None:
    """Ids, API names and graph break numbers lead to the case."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get((site / start).as_uri())
    browser.find_element(By.ID, "cb-find").send_keys(query)
    link = "#cb-found-here a"
    WebDriverWait(browser, 10).until(lambda b: b.find_elements(By.CSS_SELECTOR, link))
    first = browser.find_element(By.CSS_SELECTOR, link)
    assert f"catalog/{case}/index.html" in first.get_attribute("href")
    browser.find_element(By.ID, "cb-find").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert f"catalog/{case}/index.html" in browser.current_url


def requests(browser: Any) -> list[str]:
    """The URLs that the page asked for since the last call."""
    messages = [json.loads(e["message"])["message"] for e in browser.get_log("performance")]
    return [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]
