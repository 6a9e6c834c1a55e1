"""The site opened from disk in headless Chromium, with no network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.world import World
from validators.match import REGISTRY

from .conftest import built
from .pages.test_messages import write_messages
from .test_accessibility import serving

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
    browser.get((site / start).as_uri())
    browser.find_element("id", "cb-find").send_keys(query)
    link = "#cb-found-here [role=option] a"
    WebDriverWait(browser, 10).until(lambda b: b.find_elements("css selector", link))
    first = browser.find_element("css selector", link)
    assert f"catalog/{case}/index.html" in first.get_attribute("href")
    browser.find_element("id", "cb-find").send_keys(Keys.ENTER)
    assert f"catalog/{case}/index.html" in browser.current_url


STATE = """
const box = document.getElementById("cb-find");
const options = [...document.querySelectorAll("#cb-found-here [role=option]")];
return [
    box.getAttribute("aria-expanded"),
    options.findIndex((it) => it.id === box.getAttribute("aria-activedescendant")),
    options.map((it) => it.getAttribute("aria-selected") === "true").indexOf(true),
    options.length,
];
"""


def test_arrows_select_an_answer(browser: Any, site: Path) -> None:
    """Round and back to the box; Enter opens the selected one, Escape closes the list."""
    browser.get((site / "index.html").as_uri())
    box = browser.find_element("id", "cb-find")
    assert box.get_attribute("role") == "combobox"
    assert box.get_attribute("aria-controls") == "cb-found-here"
    box.send_keys("dynamic")
    options = "#cb-found-here [role=option]"
    WebDriverWait(browser, 10).until(lambda b: len(b.find_elements("css selector", options)) > 1)
    *_, count = browser.execute_script(STATE)
    assert count > 1 and browser.execute_script(STATE) == ["true", -1, -1, count]
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert browser.execute_script(STATE) == ["true", 1, 1, count]
    box.send_keys(Keys.ARROW_UP, Keys.ARROW_UP)
    assert browser.execute_script(STATE) == ["true", -1, -1, count]
    box.send_keys(Keys.ARROW_UP)
    assert browser.execute_script(STATE) == ["true", count - 1, count - 1, count]
    box.send_keys(Keys.ESCAPE)
    assert browser.execute_script(STATE)[:2] == ["false", -1]
    box.clear()
    box.send_keys("dynamic")
    WebDriverWait(browser, 10).until(lambda b: b.execute_script(STATE)[0] == "true")
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    second = browser.find_elements("css selector", f"{options} a")[1].get_attribute("href")
    box.send_keys(Keys.ENTER)
    assert browser.current_url == second


def test_an_address_of_no_message_is_told(
    browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Small letters lead to the page, an unknown id to torch's own."""
    world = World(tmp_path_factory.mktemp("messages"))
    world.catalog.mkdir(parents=True)
    write_messages(world)
    with serving(built(world)) as address:
        browser.get(f"{address}/gb/gb0171/")
        WebDriverWait(browser, 10).until(lambda b: b.current_url.endswith("/gb/GB0171/index.html"))
        WebDriverWait(browser, 10).until(lambda b: "GB0171: Another break" in b.title)
        browser.get(f"{address}/gb/GB9999/")
        link = browser.find_element("css selector", "#cb-unknown a")
        assert link.get_attribute("href") == REGISTRY.format("gb9999")
        assert browser.find_element("id", "cb-find").get_property("value") == "GB9999"


def requests(browser: Any) -> list[str]:
    """The URLs that the page asked for since the last call."""
    messages = [json.loads(e["message"])["message"] for e in browser.get_log("performance")]
    return [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]


def test_a_page_in_dark_mode_prints_dark_on_white(browser: Any, site: Path) -> None:
    """Whatever palette is on when the print begins."""
    browser.get((site / "catalog/tensor_branch/index.html").as_uri())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    scheme = "document.body.setAttribute('data-md-color-scheme', 'slate');"
    shown = "const it = getComputedStyle(document.querySelector('h1'));"
    try:
        shades = browser.execute_script(f"{scheme}{shown} return [it.colorScheme, it.color]")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shades[0] == "light"
    assert all(int(it) < 100 for it in re.findall(r"\d+", shades[1])[:3])
