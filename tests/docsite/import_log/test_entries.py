"""What becomes of a log's headings, fields and text."""

from __future__ import annotations

from pathlib import Path

import pytest
from docsite.import_log.files import Imported, read_import

from validators.catalog.logs import LogEntry, load_logs

BAKERY = Path(__file__).parent / "bakery.md"


def imported(folder: Path, text: str | bytes) -> tuple[Imported, list[LogEntry], list[str]]:
    """What comes of a log with this text: the import, its entries, and what is said, by lines."""
    log = folder / "log.md"
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_import(log, folder / "out")
    found.write()
    entries, problems = load_logs(folder / "out")
    assert not problems
    said = [str(it).removeprefix(f"{log}:") for it in found.problems]
    return found, sorted(entries, key=lambda entry: entry.name), said


def unplaced(folder: Path) -> str:
    """The lines that are in no entry."""
    file = folder / "out" / "log.unplaced.txt"
    return file.read_text("utf-8") if file.exists() else ""


def test_a_whole_log(tmp_path: Path) -> None:
    """Names, types and summaries, and all that was not as it should be, with its lines."""
    _, entries, said = imported(tmp_path, BAKERY.read_bytes())
    assert [(entry.name, entry.meta.type) for entry in entries] == [
        ("2025-03-01-a-starter-that-survives-the-weekend", "plan"),
        ("2025-03-04-bugfix-oven-door-left-ajar", "retrospective"),
        ("2025-03-04-experiment-templates-on-the-price-tags", "observation"),
        ("2025-03-09-a-starter-that-survives-the-weekend", "retrospective"),
    ]
    assert [entry.meta.summary for entry in entries] == [
        'On Mondays the bread is flat; we want to know whether "feeding: twice" (or a colder '
        "shelf) helps — #1 complaint of `regular customers`.",
        "Two batches were pale because the oven lost heat.",
        "Experiment: Templates on the price tags",
        "Feeding twice is enough; the colder shelf changes nothing that we could taste.",
    ]
    assert all(not (it.meta.cases or it.meta.evidence or it.meta.supersedes) for it in entries)
    assert said == [
        "1-11: is in no entry: stands before the first entry; "
        "head it `## YYYY-MM-DD — Type: Title`, or leave it out",
        "37: stands in the code block that begins in line 35 and so is no entry; "
        "close that if it should be one",
        "53: is taken for observation: it has 'Experiment' in its heading and no `**Type**`; "
        "write one of plan, observation, retrospective",
        "53: has no `**General description**: …` that fits; the title is its summary",
    ]
    assert unplaced(tmp_path).splitlines()[:2] == [
        "1: # Bakery log",
        "3: What we bake, why, and what came of it; oldest first.",
    ]


def test_the_body_is_kept_as_it_is(tmp_path: Path) -> None:
    """Headings are one level up, except in code; nothing else changes."""
    _, entries, _ = imported(tmp_path, BAKERY.read_bytes())
    log = BAKERY.read_text("utf-8")
    text = log[log.index("### Root cause") : log.index("## 2025-03-04 - Exp")].rstrip()
    for heading in ("Root cause", "What it cost", "By weight"):
        text = text.replace(f"## {heading}", f"# {heading}")
    assert entries[1].body == f"\n# Bugfix: Oven door left ajar\n\n{text}\n"
    assert "\n   ## 2025-03-02 — Plan: this comment is no entry\n" in entries[1].body
    assert "\n### By weight\n" in entries[1].body


HEADINGS = {
    "## 2026-01-23 — Plan: T": ("plan", "T"),
    "## 2026-01-23 \u2013 PLAN — T": ("plan", "T"),
    "## 2026-01-23 - plan - T": ("plan", "T"),
    "## 2026-01-23—Observation:  T  ##": ("observation", "T"),
    "  ## 2026-01-23: Retrospective: C#": ("retrospective", "C#"),
    "##\t2026-01-23 Plan: a: b — c": ("plan", "a: b — c"),
    "## 2026-01-23 — Research: T": ("observation", "Research: T"),
    "## 2026-01-23 — 345x — faster": ("observation", "345x — faster"),
    "## 2026-01-23 — Retrospektive: T": ("observation", "Retrospektive: T"),
    "## 2026-01-23 — re-use of a-b": ("observation", "re-use of a-b"),
    "## 2026-01-23 — Plan": ("plan", "Plan"),
    "## 2026-01-23 — Plan:": ("plan", "Plan:"),
    "## 2026-01-23": ("observation", "2026-01-23"),
    "## 2026-01-23 —": ("observation", "2026-01-23"),
}


@pytest.mark.parametrize("heading", HEADINGS)
def test_the_heading_says_date_type_and_title(tmp_path: Path, heading: str) -> None:
    """A word that is no type stays in the title, and the title stands in for a description."""
    _, [entry], said = imported(tmp_path, f"{heading}\ntext\n")
    kind, title = HEADINGS[heading]
    assert (str(entry.meta.date), entry.meta.type) == ("2026-01-23", kind)
    assert entry.body == f"\n# {title}\n\ntext\n"
    assert entry.meta.summary == title
    assert said[-1].startswith("1: has no `**General description**")
    assert any("is taken for" in it for it in said) == (kind not in heading.lower())


FIELDS = {
    "**Type**: Plan": ("plan", "Observation: T", ""),
    "- **Type:** plan": ("plan", "Observation: T", ""),
    "**Type**: Observation": ("observation", "T", ""),
    "**Type**: Plan | Observation": ("observation", "T", "**Type**: Plan | Observation"),
    "**Type**: Pln": ("observation", "T", "**Type**: Pln"),
    "**Type**:": ("observation", "T", "**Type**:"),
    "**Type**: Plan\n**Type**: Observation": ("plan", "Observation: T", "**Type**: Observation"),
    "### S\n**Type**: Plan": ("observation", "T", "## S\n**Type**: Plan"),
    "```\n**Type**: Plan\n```": ("observation", "T", "```\n**Type**: Plan\n```"),
}


@pytest.mark.parametrize("lines", FIELDS)
def test_the_field_wins_over_the_heading(tmp_path: Path, lines: str) -> None:
    """A field that says nothing is kept as text."""
    _, [entry], said = imported(tmp_path, f"## 2026-01-23 — Observation: T\n\n{lines}\n")
    kind, title, text = FIELDS[lines]
    assert entry.meta.type == kind
    assert entry.body == f"\n# {title}\n" + (f"\n{text}\n" if text else "")
    named = "**Type**: P" in text and text[0] == "*"
    assert any("**Type**" in it for it in said) == (kind == "plan" or named)


DESCRIPTIONS = {
    "**General description**: one\n  two\t three \n\nfour": ("one two three", "four"),
    "**General Description:** one\n- two": ("one", "- two"),
    "**General description**: one\n**Who**: two": ("one", "**Who**: two"),
    "**General description**: one\n```\ntwo\n```": ("one", "```\ntwo\n```"),
    "text\n\n**General description**: one": ("one", "text"),
    "**General description**:\ntext": ("T", "**General description**:\ntext"),
    "**General description**: : - {a: *b} # c % @ `d` ' \" &e !f | > ? -- [": (
        ": - {a: *b} # c % @ `d` ' \" &e !f | > ? -- [",
        "",
    ),
    "**General description**: ---\n... \\x00 \\": ("--- ... \\x00 \\", ""),
    "**General description**: 1:1:1": ("1:1:1", ""),
    "**General description**: null": ("null", ""),
}


@pytest.mark.parametrize("lines", DESCRIPTIONS)
def test_the_description_is_the_summary(tmp_path: Path, lines: str) -> None:
    """All of its paragraph, whatever it means to YAML."""
    _, [entry], _ = imported(tmp_path, f"## 2026-01-23 — Plan: T\n{lines}\n")
    summary, text = DESCRIPTIONS[lines]
    assert entry.meta.summary == summary
    assert entry.body == "\n# T\n" + (f"\n{text}\n" if text else "")


BROKEN = {
    "## Notes": "has no date",
    "## 2026-02-30 — Plan: T": "is headed by `2026-02-30`, which is no date",
    "## 2026-1-5 — Plan: T": "`2026-1-5`, which is no date",
    "## 2026-01-23\u201325 — Plan: T": "which is no date",
    "## 2026-01-23T10:00 — Plan: T": "which is no date",
    "## \uff12\uff10\uff12\uff16-01-23 — Plan: T": "which is no date",
    "## 0000-01-01 — Plan: T": "which is no date",
    "# 2026-01-24 — Plan: T": "has a date, but no heading of an entry",
    "# Part two": "has no date",
    "##2026-01-24 — Plan: T": "has a date, but no heading of an entry",
    "2026-01-24 — Plan: T\n-----": "has a date, but no heading of an entry",
    "2026-01-24 — Plan: T\n==": "has a date, but no heading of an entry",
    "##": "has no date",
}


@pytest.mark.parametrize("heading", BROKEN)
def test_what_has_no_date_is_in_no_entry(tmp_path: Path, heading: str) -> None:
    """It ends the entry above, is kept with its line numbers, and no date is guessed."""
    rest = f"{heading}\n\ntext\n### Section"
    log = f"## 2026-01-23 — Plan: One\nfirst\n{rest}\n\n## 2026-01-25 — Plan: Two\n"
    _, [one, two], said = imported(tmp_path, log)
    assert (one.body, two.body) == ("\n# One\n\nfirst\n", "\n# Two\n")
    last = 2 + len(rest.split("\n"))
    place = f"3-{last}: is in no entry: "
    assert any(it.startswith(place) and BROKEN[heading] in it for it in said)
    numbered = [f"{at}: {line}" for at, line in enumerate(rest.split("\n"), 3) if line]
    assert unplaced(tmp_path).splitlines() == numbered


STAYING = {
    "##Glued": ("##Glued", "is no heading without a space"),
    "###\tDeep ##": ("##\tDeep ##", ""),
    "### 2026-01-24 — Plan: T": ("## 2026-01-24 — Plan: T", "is a section of the entry above"),
    "####### seven": ("####### seven", ""),
    "#hashtag": ("#hashtag", ""),
    "    ## 2026-01-24 — Plan: T": ("    ## 2026-01-24 — Plan: T", ""),
    "> ## 2026-01-24 — Plan: T": ("> ## 2026-01-24 — Plan: T", ""),
    "Notes\n-----": ("Notes\n-----", ""),
    "```\n## 2026-01-24 — T\n~~~\n``\n```x\n````": (
        "```\n## 2026-01-24 — T\n~~~\n``\n```x\n````",
        "stands in the code block that begins in line 2",
    ),
    "<!--\n## 2026-01-24 — T\n### S\n-->": (
        "<!--\n## 2026-01-24 — T\n### S\n-->",
        "stands in the comment that begins in line 2",
    ),
    "~~~\n## 2026-01-24 — T\n```": ("~~~\n## 2026-01-24 — T\n```", "that is never closed"),
    "<!-- open\n\n### S": ("<!-- open\n\n## S", "opens a comment that is never closed"),
    "<!-- one\n<!-- two -->\n### S": ("<!-- one\n<!-- two -->\n## S", "never closed"),
    "``` a`b\n### S": ("``` a`b\n## S", ""),
}


@pytest.mark.parametrize("lines", STAYING)
def test_what_stays_in_the_entry(tmp_path: Path, lines: str) -> None:
    """Text that only looks like an entry's heading, and what is said of it."""
    _, [entry], said = imported(tmp_path, f"## 2026-01-23 — Plan: T\n{lines}\n")
    text, message = STAYING[lines]
    assert entry.body == f"\n# T\n\n{text}\n"
    others = [it for it in said if "General description" not in it]
    assert any(message in it for it in others) if message else not others


def test_a_date_in_the_preamble_that_is_none_has_lines_of_its_own(tmp_path: Path) -> None:
    """It was meant as an entry; the headings before it were not."""
    log = "# Log\n\n## Format\n\n## 2026-02-30 — Plan: T\ntext\n\n## 2026-03-01 — Plan: T\n"
    _, [_], said = imported(tmp_path, log)
    assert said[0].startswith("1-3: is in no entry: stands before")
    assert said[1].startswith("5-6: is in no entry: is headed by `2026-02-30`")


def test_names_are_distinct(tmp_path: Path) -> None:
    """Equal titles get numbers, also where a title has that number already."""
    titles = ["A b", "a  B!", "A b 2", "日本", "日本", "A b", "x" * 300, "long " * 50]
    log = "\n".join(f"## 2026-01-23 — Plan: {title}\n" for title in titles)
    found, entries, _ = imported(tmp_path, log)
    assert [path.stem.removeprefix("2026-01-23-") for path in found.files] == [
        "a-b",
        "a-b-2",
        "a-b-2-2",
        "plan",
        "plan-2",
        "a-b-3",
        "x" * 60,
        "-".join(["long"] * 12),
    ]
    assert len(entries) == len(titles)


DOUBTS = {
    "see `case:no_such`": "cites `case:no_such`; `check` asks for that case",
    "<!-- figure a b c -->1<!-- /figure -->": "has the mark of a figure",
    "<!-- figure": "has the mark of a figure",
    "REWRITE: this": "holds `REWRITE:`",
    "![x](y) [^1]: z [a](b/c.md) `[d](e)` [f](https://g) [h](#i)": "links to b/c.md; the site asks",
    "[a]: <b.md>": "links to b.md; the site asks for that file",
}


@pytest.mark.parametrize("line", DOUBTS)
def test_what_check_and_the_build_will_ask_is_said(tmp_path: Path, line: str) -> None:
    """The text is kept as it is; its line of the log is named."""
    log = f"## 2026-01-23 — Plan: T\n**General description**: d\n\n{line}\n"
    _, [entry], said = imported(tmp_path, log)
    assert said[-1].startswith(f"4: {DOUBTS[line]}")
    assert line in entry.body


def test_what_no_page_can_hold_is_in_no_entry(tmp_path: Path) -> None:
    """A page has a largest size, and so has its front matter."""
    large, long = "x" * 300_000, "y" * 40_000
    log = f"## 2026-01-01 — Plan: A\n{large}\n## 2026-01-02 — Plan: {long}\n## 2026-01-03 Plan: C\n"
    _, [entry], said = imported(tmp_path, f"{log}**General description**: {long}\n")
    assert "C" in entry.body and long in entry.body and entry.meta.summary == "C"
    assert said[0].startswith("1-2: is in no entry: is longer than a page may be (256 KiB)")
    assert said[1].startswith("3: is in no entry: has a heading too long for a page")
    assert large in unplaced(tmp_path) and long in unplaced(tmp_path)
