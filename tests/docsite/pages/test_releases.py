"""What changes between releases, computed from records."""

from __future__ import annotations

from pathlib import Path

from docsite.pages.releases import Upgrade, upgrades

from tests.world import World, entry, front

from ..test_site import page


def test_what_changed_is_sorted_by_what_it_means(world: World) -> None:
    """And what is decided on one release only is only counted."""
    verdicts = {
        "gone": ("confirmed", "refuted"),
        "new": ("refuted", "confirmed"),
        "weaker": ("confirmed", "remedy-failed"),
        "better": ("remedy-failed", "confirmed"),
        "same": ("confirmed", "confirmed"),
        "half": ("confirmed", "skipped"),
    }
    for name, pair in verdicts.items():
        world.case(name, front())
        for release, verdict in zip(("2.13.0", "2.15.0"), pair, strict=True):
            world.record(name, release, verdict=verdict)
    world.case("advice", front(kind="practice"))
    world.record("advice", "2.13.0")
    world.record("advice", "2.15.0", verdict="refuted")
    world.log("2026-01-01-a", entry("gone: refutes", "evidence: [torch-2.15.0-cpu]"))
    (found,) = upgrades(world.load())
    assert found.title == "torch 2.13 → 2.15"
    assert (names(found.fixed), names(found.broke)) == (["gone"], ["new"])
    assert (names(found.fix_fails), names(found.fix_works)) == (["weaker"], ["better"])
    assert names(found.advice) == ["advice"]
    assert (found.compared, found.untried) == (6, 1)
    assert found.fixed[0].event and not found.broke[0].event
    assert found.counts == (
        "1 fixed, 1 new, 1 fix that fails now, 1 fix that works now, 1 piece of advice that changes"
    )
    assert found.checks[0].startswith("New.")


def names(changes: list) -> list[str]:
    """The cases of some changes."""
    return [it.standing.case.name for it in changes]


def test_each_step_and_the_widest_one_have_a_page(world: World) -> None:
    """The widest begins where most claims are decided."""
    for name in ("one", "two", "three"):
        world.case(name, front())
        for release in ("2.11.0", "2.13.0", "2.15.0"):
            world.record(name, release)
    world.record("one", "2.5.1")
    titles = [it.title for it in upgrades(world.load())]
    assert titles == [
        "torch 2.13 → 2.15",
        "torch 2.11 → 2.13",
        "torch 2.5.1 → 2.11",
        "torch 2.11 → 2.15",
    ]


def test_one_release_has_nothing_to_compare(world: World) -> None:
    """Neither pages nor an entry in the navigation."""
    world.case("one", front())
    world.record("one")
    assert upgrades(world.load()) == []


def test_the_pages_say_what_changed(site: Path) -> None:
    """With the way to the catalog, and a list to go through before."""
    index = page(site, "releases/index.html")
    assert "torch 2.13 → 2.15" in index
    text = page(site, "releases/2.13.0-2.15.0/index.html")
    assert "Advice that changed" in text and "mark_unbacked keeps a dim of one" in text
    html = (site / "releases/2.13.0-2.15.0/index.html").read_text("utf-8")
    assert 'href="../../catalog/index.html?from=2.13.0&amp;to=2.15.0"' in html


def test_nothing_changed() -> None:
    """It is said."""
    assert Upgrade("2.13.0", "2.15.0").counts == "no change"
