"""What log entries did to cases, and where a page says so."""

from __future__ import annotations

import pytest
from docsite.content import Content

from tests.world import World, entry, front
from validators.published.history import Event

from ..conftest import html_of
from .test_sources import REFUTED


def page(content: Content, path: str) -> str:
    """A page's HTML in one line."""
    return " ".join(html_of(content, path).split())


NOTICE = "Not everything here held."
"""Begins what a log entry says of its own claims that were refuted."""
LAPSED = "Written before this changed."
"""Begins what prose says of cases that it can no longer rely on."""


def told(events: list[Event]) -> list[tuple[str, str]]:
    """Each event as its entry and what it says."""
    return [(it.entry.name[11:], f"{it.subject} {it.word}") for it in events]


def test_a_case_has_its_events_in_order_of_time(told_world: World) -> None:
    """What a day introduces it may refute, whatever the entries are called."""
    by_case = told_world.load().history.by_case
    assert told(by_case["belief"]) == [("c", "belief introduced"), ("a", "belief refuted")]
    assert told(by_case["claim"]) == [("c", "claim introduced"), ("d", "claim refuted")]


def test_an_event_knows_the_first_later_refutation(told_world: World) -> None:
    """Not an earlier one, and none of its own kind."""
    told_world.log("2026-01-26-b", entry("belief: supports"))
    told_world.log("2026-01-28-e", entry("belief: refutes"))
    events = told_world.load().history.by_case["belief"]
    names = [it.refutation and it.refutation.entry.name for it in events]
    assert names == ["2026-01-25-a", None, "2026-01-28-e", None]


def test_a_claim_that_fails_only_beyond_its_bounds_stands(told_world: World) -> None:
    """It is not struck out, and called refuted as soon as it fails within them."""
    said, holds = "In torch 2.13 it is so.", '[{torch: "<2.15"}]'
    told_world.case("old", front(said, holds=holds))
    told_world.record("old")
    told_world.record("old", "2.15.0", **REFUTED)
    columns = "evidence: [torch-2.13.0-cpu, torch-2.15.0-cpu]"
    told_world.log("2026-01-28-e", entry("old: introduces"))
    told_world.log("2026-01-29-f", entry("old: refutes, claim: refutes", columns))
    content = told_world.load()
    first, second = content.history.by_case["old"]
    assert (first.refutation, second.word) == (None, "bounded")
    titles = [group.title for group in content.history.groups(second.entry)]
    assert titles == ["refuted 1 claim", "bounded 1 claim"]
    assert "<del>" not in page(content, "logs/2026-01-28-e/index.html")
    told_world.case("old", front(said, holds=holds, withdrawn="it was wrong"))
    assert told_world.load().history.by_case["old"][1].word == "refuted"
    told_world.case("old", front(said, holds=holds))
    told_world.record("old", **REFUTED)
    first, second = told_world.load().history.by_case["old"]
    assert (first.refutation, second.word) == (second, "refuted")


def test_an_alias_is_the_case_and_counts_once(told_world: World) -> None:
    """An entry may name a case by two of its names."""
    told_world.log("2026-01-28-e", entry("old_name: refutes, belief: refutes"))
    content = told_world.load()
    assert told(content.history.by_case["belief"])[2:] == [("e", "belief refuted")]
    assert len(content.history.by_entry["2026-01-28-e"]) == 1


def test_beside_an_event_stand_the_verdicts_of_the_columns_that_its_entry_names(
    told_world: World,
) -> None:
    """In their order, equal neighbours together; what nothing decided is undecided."""
    told_world.record("belief", "2.15.0", **REFUTED)
    told_world.record("belief", "2.12.0")
    told_world.record("claim", "2.14.0")
    named = ", ".join(f"torch-2.{minor}.0-cpu" for minor in (15, 13, 12, 14))
    columns = f"evidence: [{named}]"
    told_world.log("2026-01-28-e", entry("belief: refutes", columns))
    told_world.log("2026-01-29-f", entry("belief: introduces", columns))
    events = told_world.load().history.by_case["belief"]
    found = [[(it[0].state.key, len(it)) for it in event.verdicts] for event in events]
    assert found == [
        [],
        [("confirmed", 1)],
        [("refuted", 1), ("confirmed", 2), ("undecided", 1)],
        [],
    ]


def test_an_entry_says_what_was_refuted_since(told_world: World) -> None:
    """With the belief, the day, the entry and what is true instead."""
    text = page(told_world.load(), "logs/2026-01-25-c/index.html").partition("<details")[0]
    assert f"<strong>{NOTICE}</strong> Of what this entry introduced, later ones" in text
    assert "Of what this entry introduced, later ones refuted 1 belief:" in text
    assert "<del>A mark is *always* enough.</del> This belief was refuted on 2026-01-25 by" in text
    assert '<a href="../2026-01-25-a/index.html">A</a>' in text
    assert "<strong>True instead:</strong> It is <code>otherwise</code>." in text
    assert '<a href="../../catalog/belief/index.html">' in text
    assert "<del>It is so.</del> This claim was refuted on 2026-01-27" in text
    assert "Superseded" not in text
    assert NOTICE not in page(told_world.load(), "logs/2026-01-25-a/index.html")


def test_a_long_notice_is_folded(told_world: World) -> None:
    """It must not bury the entry below it; how much was refuted stays in sight."""
    names = [f"case_{number}" for number in range(11)]
    for name in names:
        told_world.case(name, front())
    for day, relation in (("2026-01-28-e", "introduces"), ("2026-01-29-f", "refutes")):
        told_world.log(day, entry(", ".join(f"{name}: {relation}" for name in names)))
    notice = page(told_world.load(), "logs/2026-01-28-e/index.html").partition(NOTICE)[2]
    assert "later ones refuted 11 claims:</p> <details> <summary>What was refuted," in notice


def test_what_no_program_decided_is_not_called_true(told_world: World) -> None:
    """The entry refutes the belief; the case that says so is stale."""
    told_world.record("belief", digest="0000")
    content = told_world.load()
    assert "Claimed instead:" in page(content, "logs/2026-01-25-c/index.html")
    for path in ("logs/2026-01-25-c/index.html", "logs/index.html"):
        assert "True instead:" not in page(content, path)


def test_a_superseded_entry_names_its_successor(told_world: World) -> None:
    """By title and day."""
    told_world.log("2026-01-28-e", "summary: s\nsupersedes: 2026-01-27-d", "# Seen `anew`\n")
    text = page(told_world.load(), "logs/2026-01-27-d/index.html")
    assert "<strong>Superseded</strong> on 2026-01-28 by" in text
    assert '<a href="../2026-01-28-e/index.html">Seen <code>anew</code></a>' in text


def test_a_case_tells_its_history(told_world: World) -> None:
    """With the verdict that the entry rests on; an entry that only cites it is said apart."""
    told_world.log("2026-01-28-e", "summary: s", "# Cited\n\nSee `case:belief`.\n")
    told_world.case("unlogged", front())
    content = told_world.load()
    came = page(content, "catalog/belief/index.html").partition('<h2 id="where-it-came')[2]
    history, _, rest = came.partition("<li>Cited by")
    assert history.index("Belief introduced by") < history.index("Belief refuted by")
    assert "retraction <span" in history and "on torch 2.13.0 (CPU)" in history
    assert "2026-01-28-e" not in history and "2026-01-28-e" in rest and "2026-01-25-c" not in rest
    assert "about this case" in page(content, "catalog/unlogged/index.html")


@pytest.mark.parametrize(
    ("file", "path"),
    [("playbooks/guides/g.md", "guides/g"), ("skills/g/SKILL.md", "skills/g")],
)
def test_prose_says_which_of_its_cases_it_can_no_longer_rely_on(
    told_world: World, file: str, path: str
) -> None:
    """Superseded, withdrawn, or refuted where they should hold; and no other."""
    told_world.case("old", front(superseded_by="belief"))
    told_world.case("wrong", front(withdrawn="'it was <b>wrong</b>'"))
    told_world.case("fails", front(holds='[{torch: ">=2.11"}]'))
    told_world.case("elsewhere", front(holds='[{torch: ">=2.15"}]'))
    for name in ("fails", "elsewhere"):
        told_world.record(name, **REFUTED)
    told_world.log("2026-01-28-e", entry("fails: refutes"))
    names = ("old", "wrong", "fails", "elsewhere", "belief")
    cited = " ".join(f"`case:{name}`" for name in names)
    told_world.write(file, f"# G\n\n{cited}\n")
    notice = page(told_world.load(), f"{path}/index.html").partition(LAPSED)[2]
    notice = notice.partition("</ul>")[0]
    assert 'superseded: read <a href="../../catalog/belief/index.html">belief</a>' in notice
    assert "withdrawn: it was &lt;b&gt;wrong&lt;/b&gt;" in notice
    assert "on torch 2.13.0 (CPU) where it was expected to hold. Refuted on" in notice
    assert notice.count("<li>") == 3


def test_prose_that_holds_has_no_notice(told_world: World) -> None:
    """It would be read as a reproach."""
    told_world.write("playbooks/guides/g.md", "# G\n\n`case:belief`\n")
    assert LAPSED not in page(told_world.load(), "guides/g/index.html")
