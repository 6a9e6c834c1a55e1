"""The timeline: its order and folding, and its filters in a browser, opened from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docsite.log.pages import timeline_page

from tests.world import World, entry, front

from ..conftest import built
from ..pages.test_catalog_page import choose, said
from ..test_site import page

SHOWN = """
return [...document.querySelectorAll(".cb-timeline li")]
    .filter((item) => item.checkVisibility())
    .map((item) => [
        item.querySelector("a").href.split("/").at(-2),
        item.closest("details").dataset.relation,
    ].join(" "));
"""
LATER = ["unbacked_dim refutes", "tensor_branch supports"]
FIRST = ["unbacked_dim introduces", "tensor_branch introduces"]


def test_days_entries_and_what_they_did_are_in_order(told_world: World) -> None:
    """Newest first, and of an entry what it refuted first; one without cases is left out."""
    told_world.log("2026-01-29-f", "summary: Nothing yet.")
    told_world.case("new", front("Also."))
    told_world.log("2026-01-27-e", entry("new: introduces, claim: refutes, belief: refutes"))
    model = timeline_page(told_world.load()).model
    told = [
        (str(day), [(it.name[11:], [group.title for group in groups]) for it, groups in entries])
        for day, entries in model["days"]
    ]
    assert told == [
        (
            "2026-01-27",
            [
                ("e", ["refuted 1 belief", "refuted 1 claim", "introduced 1 claim"]),
                ("d", ["refuted 1 claim"]),
            ],
        ),
        (
            "2026-01-25",
            [("c", ["introduced 1 belief", "introduced 1 claim"]), ("a", ["refuted 1 belief"])],
        ),
    ]


def test_only_what_exists_is_offered(told_world: World) -> None:
    """Areas and relations that some event has; the page itself fills in its cases."""
    told_world.case("unlogged", front(), area="caching")
    fields = {it.name: it.options for it in timeline_page(told_world.load()).model["fields"]}
    assert fields["area"] == [("graph_breaks", "graph breaks"), ("memory", "memory")]
    assert fields["case"] == []
    assert [value for value, _ in fields["relation"]] == ["introduces", "refutes"]


@pytest.mark.parametrize(("count", "folded"), [(10, False), (11, True)])
def test_many_events_are_folded(world: World, count: int, folded: bool) -> None:
    """An entry that introduces all there is must not bury the others."""
    for number in range(count):
        world.case(f"case_{number}", front())
    names = ", ".join(f"case_{number}: introduces" for number in range(count))
    world.log("2026-01-28-e", entry(names))
    ((_, ((_, (group,)),)),) = timeline_page(world.load()).model["days"]
    assert group.folded is folded


def test_the_entry_of_an_event_has_its_evidence(site: Path) -> None:
    """The timeline says what happened to which case; the verdicts and what is known stand there."""
    text = page(site, "timeline/index.html")
    assert "2026-11-05 Second-look retrospective A mark keeps a dim dynamic" in text
    assert "Refuted 1 belief mark_unbacked keeps a dim of one Supported 1 claim" in text
    assert (
        "Refuted 1 belief mark_unbacked keeps a dim of one retraction ≠ belief false on 2.15 "
        "Evidence: retraction ✓ confirmed on torch 2.15.0 (CPU)"
    ) in page(site, "logs/2026-11-05-second-look/index.html")
    assert (
        "Marking a dim dynamic is always enough. This belief was refuted on 2026-11-05 by "
        "Second-look . True instead: With mark_unbacked a dim of size 1 is not specialized."
    ) in page(site, "logs/2026-01-23-first-try/index.html")


def test_the_ways_to_the_timeline(site: Path) -> None:
    """From the log, whose navigation has it, from the home page, and for agents."""
    for place in ("about/index.html", "logs/index.html", "index.html"):
        assert "timeline/index.html" in (site / place).read_text("utf-8"), place
    assert "timeline/index.html.md" in (site / "llms.txt").read_text("utf-8")


def open_timeline(browser: Any, site: Path, query: str = "") -> None:
    """Open the timeline by its address."""
    browser.get((site / "timeline" / "index.html").as_uri() + query)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [*LATER, *FIRST]),
        ("?area=dynamic_shapes", [LATER[0], FIRST[0]]),
        ("?case=tensor_branch&relation=supports", [LATER[1]]),
        ("?relation=introduces", FIRST),
        ("?area=dynamic_shapes&case=tensor_branch", []),
    ],
)
def test_the_address_filters(browser: Any, site: Path, query: str, expected: list[str]) -> None:
    """All filters together; a day, an entry and a group without an event are not there."""
    open_timeline(browser, site, query)
    assert browser.execute_script(SHOWN) == expected
    assert said(browser) == f"{len(expected)} of 4 events."
    empty = """return [...document.querySelectorAll(".cb-timeline :is(h2, h3, summary)")]
        .filter((it) => it.checkVisibility() && !it.parentElement.querySelector("li:not([hidden])"))
        .length"""
    assert browser.execute_script(empty) == 0


@pytest.mark.browser
def test_a_choice_stands_in_the_address(browser: Any, site: Path) -> None:
    """And going back takes it away again."""
    open_timeline(browser, site)
    offered = "return [...document.querySelectorAll('[name=case] option')].map((it) => it.text)"
    assert browser.execute_script(offered) == [
        "any (4)",
        "mark_unbacked keeps a dim of one (2)",
        "Tensor branch (2)",
    ]
    choose(browser, "case", "unbacked_dim")
    assert browser.current_url.endswith("?case=unbacked_dim")
    assert browser.execute_script(SHOWN) == [LATER[0], FIRST[0]]
    browser.back()
    assert browser.execute_script(SHOWN) == [*LATER, *FIRST]


@pytest.mark.browser
def test_a_folded_group_opens_for_what_is_sought(
    browser: Any, tmp_path: Path, world: World
) -> None:
    """And closes when nothing is; without scripts all of it is there."""
    names = [f"case_{number:02}" for number in range(12)]
    for name in names:
        world.case(name, front())
    world.log("2026-01-28-e", entry(", ".join(f"{name}: introduces" for name in names)))
    site = built(world)
    open_timeline(browser, site)
    assert browser.execute_script(SHOWN) == []
    choose(browser, "case", "case_07")
    assert browser.execute_script(SHOWN) == ["case_07 introduces"]
    summary = browser.find_element("css selector", ".cb-timeline summary")
    assert summary.text == "Introduced 12 claims, 1 shown"
    choose(browser, "case", "")
    assert browser.execute_script(SHOWN) == []
    assert summary.text == "Introduced 12 claims"


@pytest.mark.browser
def test_without_scripts_the_timeline_is_whole(browser: Any, site: Path) -> None:
    """No control is there that would do nothing."""
    open_timeline(browser, site)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.refresh()
        assert browser.execute_script(SHOWN) == [*LATER, *FIRST]
        assert not browser.find_element("id", "cb-filters").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
