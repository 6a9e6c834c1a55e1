"""The catalog's filters in a browser, opened from disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.world import World, front

from ..conftest import built

pytestmark = pytest.mark.browser
SHOWN = """
return [...document.querySelectorAll(".cb-cases tbody tr:not(.cb-area)")]
    .filter((row) => row.checkVisibility())
    .map((row) => row.querySelector("th a").href.split("/").at(-2));
"""
ALL = ["tensor_branch", "unbacked_dim", "changed", "gone", "never_run"]


def open_catalog(browser: Any, site: Path, query: str = "") -> None:
    """Open the catalog by its address."""
    browser.get((site / "catalog" / "index.html").as_uri() + query)


def shown(browser: Any) -> list[str]:
    """The ids of the cases in sight."""
    found: list[str] = browser.execute_script(SHOWN)
    return found


def said(browser: Any) -> str:
    """What the live region says."""
    text: str = browser.execute_script("return document.getElementById('cb-found').textContent")
    return text


def unfold(browser: Any) -> None:
    """Show all filters."""
    browser.execute_script(
        "document.querySelector('.cb-filters details')?.setAttribute('open', '')"
    )


def choose(browser: Any, name: str, value: str) -> None:
    """Choose a value as a reader does; without a name, the reader's torch."""
    from selenium.webdriver.support.ui import Select

    unfold(browser)
    place = ("name", name) if name else ("id", "cb-torch")
    Select(browser.find_element(*place)).select_by_value(value)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ALL),
        ("?area=memory&kind=limitation", ["changed", "gone", "never_run"]),
        ("?status=confirmed", ["tensor_branch", "unbacked_dim"]),
        ("?status=confirmed&torch=2.13.0", ["tensor_branch"]),
        ("?status=undecided&device=cpu", ["changed", "never_run"]),
        ("?status=undecided&device=cuda&torch=2.13.0", [n for n in ALL if n != "gone"]),
        ("?status=stale&device=cuda", []),
        ("?status=retired", ["gone"]),
        ("?h=branch&other=1", ALL),
    ],
)
def test_the_address_filters(browser: Any, site: Path, query: str, expected: list[str]) -> None:
    """One cell has to be of the device, the release and the status that are asked for."""
    open_catalog(browser, site, query)
    assert shown(browser) == expected
    assert said(browser) == f"{len(expected)} of 5 cases."


def test_choices_stand_in_the_address_and_can_be_gone_back(browser: Any, site: Path) -> None:
    """Each choice is an address of its own; foreign keys stay in it."""
    open_catalog(browser, site, "?h=x")
    choose(browser, "area", "memory")
    choose(browser, "status", "stale")
    assert browser.current_url.endswith("?h=x&area=memory&status=stale")
    assert shown(browser) == ["changed"]
    browser.back()
    assert browser.current_url.endswith("?h=x&area=memory")
    assert shown(browser) == ["changed", "gone", "never_run"]
    assert browser.find_element("name", "status").get_property("value") == ""
    reset = browser.find_element("css selector", "#cb-filters [type=reset]")
    browser.execute_script("arguments[0].click()", reset)
    assert browser.current_url.endswith("?h=x")
    assert shown(browser) == ALL


@pytest.mark.smoke
def test_words_filter_while_they_are_typed(browser: Any, site: Path) -> None:
    """All of them must be in the title or the id; they are one step of the history."""
    open_catalog(browser, site)
    browser.find_element("name", "text").send_keys("BRANCH tensor")
    assert shown(browser) == ["tensor_branch"]
    assert browser.current_url.endswith("?text=BRANCH+tensor")
    browser.refresh()
    assert shown(browser) == ["tensor_branch"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?here=bad", ["tensor_branch"]),
        ("?here=none", ["changed", "gone", "never_run"]),
        ("?from=2.13.0&to=2.15.0", ["unbacked_dim"]),
        ("?from=2.15.0&to=2.15.0", []),
        ("?severity=medium", ALL),
        ("?sort=title", ["changed", "gone", "unbacked_dim", "never_run", "tensor_branch"]),
    ],
)
def test_what_a_case_means_filters_and_sorts(
    browser: Any, site: Path, query: str, expected: list[str]
) -> None:
    """On the newest release if none is chosen."""
    open_catalog(browser, site, query)
    assert shown(browser) == expected


def test_the_chosen_torch_filters(browser: Any, site: Path) -> None:
    """The rows follow the selector in the header, now and on the next page."""
    open_catalog(browser, site, "?here=bad")
    choose(browser, "", "2.15.0")
    assert shown(browser) == ["tensor_branch"]
    choose(browser, "", "2.13.0")
    assert shown(browser) == ["tensor_branch"]
    open_catalog(browser, site)
    news = browser.find_elements("css selector", ".cb-cases .cb-news")
    assert "○ not shown on 2.13" in [it.text for it in news]
    choose(browser, "", "")


def test_an_unknown_value_is_said_and_harmless(browser: Any, site: Path) -> None:
    """It is text, whatever it holds, and the other filters hold."""
    open_catalog(browser, site, "?area=<img src=x>&status=stale")
    assert shown(browser) == ["changed"]
    assert said(browser) == "1 of 5 cases. Ignored, because no case has it: area=<img src=x>."
    assert not browser.find_elements("css selector", "#cb-found img")


def test_each_option_says_how_many_it_would_leave(browser: Any, site: Path) -> None:
    """The count takes the other filters into account."""
    open_catalog(browser, site, "?area=memory")
    unfold(browser)
    texts = [o.text for o in browser.find_elements("css selector", "[name=status] option")]
    assert "✓ confirmed (0)" in texts and "↻ stale (1)" in texts and "any (3)" in texts
    texts = [o.text for o in browser.find_elements("css selector", "[name=area] option")]
    assert "graph breaks (1)" in texts


def test_without_scripts_the_table_is_whole(browser: Any, site: Path) -> None:
    """No control is there that would do nothing."""
    open_catalog(browser, site)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.refresh()
        assert shown(browser) == ALL
        assert not browser.find_element("id", "cb-filters").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.fixture(scope="module")
def gpu_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A claim for both devices and one for CUDA, of which a GPU ran one release."""
    world = World(tmp_path_factory.mktemp("repository"))
    world.catalog.mkdir(parents=True)
    world.case("both", front())
    world.case("gpu_only", front(devices="[cuda]"))
    world.record("both")
    world.record("both", "2.15.0", "NVIDIA H200")
    world.record("gpu_only", verdict="skipped", reason="needs a CUDA device")
    world.record("gpu_only", "2.15.0", "NVIDIA H200", verdict="skipped", reason="needs triton")
    yield built(world)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?device=cpu", ["both"]),
        ("?device=cpu&status=skipped", []),
        ("?device=cuda&status=undecided", []),
        ("?device=cuda&status=undecided&torch=2.13.0", ["both", "gpu_only"]),
        ("?device=h200&status=skipped", ["gpu_only"]),
        ("?device=h200&torch=2.13.0", []),
    ],
)
def test_a_release_that_cuda_lacks_is_undecided_there(
    browser: Any, gpu_site: Path, query: str, expected: list[str]
) -> None:
    """It counts where that release is asked for, and a claim where it has a meaning."""
    open_catalog(browser, gpu_site, query)
    assert shown(browser) == expected


@pytest.mark.parametrize("name", ["site", "gpu_site"])
def test_a_count_of_claims_leads_to_as_many_cases(
    browser: Any, request: pytest.FixtureRequest, name: str
) -> None:
    """Whatever the area, the environment and the state: the two are counted apart."""
    browser.get((request.getfixturevalue(name) / "matrix" / "index.html").as_uri())
    links = browser.find_elements("css selector", ".cb-glance a.cb-state")
    counts = {it.get_attribute("href"): int(it.text.split()[1]) for it in links}
    assert len(counts) > 4
    for address, count in counts.items():
        browser.get(address)
        assert len(shown(browser)) == count, address
