"""`import-log`: what becomes of a log in one file, and that none of its text is lost."""

from __future__ import annotations

import codecs
import contextlib
import re
import tempfile
from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from validators.catalog.logs import LogEntry, load_logs
from validators.cli.import_log import import_log_command
from validators.errors import CasebookError, naming
from validators.logbook import import_log
from validators.logbook.import_log import read_import

BAKERY = Path(__file__).parent / "bakery.md"


def imported(folder: Path, text: str | bytes) -> tuple[list[LogEntry], list[str], list[str]]:
    """What comes of a log with this text: its entries, what is said by lines, the other lines."""
    log = folder / "log.md"
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_import(log, folder / "out")
    found.write()
    entries, problems = load_logs(folder / "out")
    assert not problems
    assert all("\n" not in str(problem) for problem in found.problems)
    said = [str(it).removeprefix(f"{log}:") for it in found.problems]
    rest = folder / "out" / "log.unplaced.txt"
    lines = rest.read_text("utf-8").split("\n")[:-1] if rest.exists() else []
    return sorted(entries, key=lambda entry: entry.name), said, lines


def test_a_whole_log(tmp_path: Path) -> None:
    """Names, types, summaries, bodies, and all that was not as it should be, with its lines."""
    entries, said, rest = imported(tmp_path, BAKERY.read_bytes())
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
    log = BAKERY.read_text("utf-8")
    text = log[log.index("### Root cause") : log.index("## 2025-03-04 - Exp")].rstrip()
    for heading in ("Root cause", "What it cost", "By weight"):
        text = text.replace(f"## {heading}", f"# {heading}")
    assert entries[1].body == f"\n# Bugfix: Oven door left ajar\n\n{text}\n"
    assert [it.partition(":")[0] for it in said] == ["1-3", "5-11", "37", "53", "53"]
    assert "is in no entry; begin one with `## YYYY-MM-DD — Type: Title`" in said[0]
    assert "looks like the heading of an entry but is not one" in said[2]
    assert "is taken for an observation" in said[3]
    assert "has no `**General description**: …` that fits; the title" in said[4]
    assert rest[:2] == [
        "1: # Bakery log",
        "3: What we bake, why, and what came of it; oldest first.",
    ]


HEADINGS = {
    "## 2026-01-23 — Plan: T": ("plan", "T"),
    "## 2026-01-23 \u2013 PLAN — T": ("plan", "T"),
    "## 2026-01-23 - plan - T": ("plan", "T"),
    "  ## 2026-01-23: Retrospective: C#": ("retrospective", "C#"),
    "##\t2026-01-23 Plan: a: b — c ##": ("plan", "a: b — c"),
    "## 2026-01-23 — Research: T": ("observation", "Research: T"),
    "## 2026-01-23 — 345x — faster": ("observation", "345x — faster"),
    "## 2026-01-23 — Plan": ("plan", "Plan"),
    "## 2026-01-23": ("observation", "2026-01-23"),
}


@pytest.mark.parametrize("heading", HEADINGS)
def test_the_heading_says_date_type_and_title(tmp_path: Path, heading: str) -> None:
    """A word that is no type stays in the title, and the title stands in for a description."""
    [entry], said, _ = imported(tmp_path, f"{heading}\ntext\n")
    kind, title = HEADINGS[heading]
    assert (str(entry.meta.date), entry.meta.type) == ("2026-01-23", kind)
    assert entry.body == f"\n# {title}\n\ntext\n"
    assert entry.meta.summary == title
    assert any("is taken for" in it for it in said) == (kind not in heading.lower())


FIELDS = {
    "**Type**: Plan": ("plan", "Observation: T", "Observation: T", ""),
    "- **Type:** plan": ("plan", "Observation: T", "Observation: T", ""),
    "**Type**: Pln": ("observation", "T", "T", "**Type**: Pln"),
    "### S\n**Type**: Plan": ("observation", "T", "T", "## S\n**Type**: Plan"),
    "```\n**Type**: Plan\n```": ("observation", "T", "T", "```\n**Type**: Plan\n```"),
    "**General description**: one\n  two\t three \n\nfour": (
        "observation",
        "T",
        "one two three",
        "four",
    ),
    "**General Description:** one\n**Who**: two": ("observation", "T", "one", "**Who**: two"),
    "**General description**:\ntext": ("observation", "T", "T", "**General description**:\ntext"),
    "**General description**: - {a: *b} # c % ' \" &e !f | --": (
        "observation",
        "T",
        "- {a: *b} # c % ' \" &e !f | --",
        "",
    ),
}


@pytest.mark.parametrize("lines", FIELDS)
def test_fields_fill_the_front_matter(tmp_path: Path, lines: str) -> None:
    """The type wins over the heading; a field that says nothing is kept as text."""
    [entry], _, _ = imported(tmp_path, f"## 2026-01-23 — Observation: T\n\n{lines}\n")
    kind, title, summary, text = FIELDS[lines]
    assert (entry.meta.type, entry.meta.summary) == (kind, summary)
    assert entry.body == f"\n# {title}\n" + (f"\n{text}\n" if text else "")


@pytest.mark.parametrize(
    "heading",
    [
        "## Notes",
        "## 2026-02-30 — Plan: T",
        "## 2026-1-5 — Plan: T",
        "## 2026-01-23\u201325 — Plan: T",
        "# 2026-01-24 — Plan: T",
        "# Part two",
        "##",
        f"## 2026-01-24 — Plan: {'y' * 40_000}",
        f"## 2026-01-24 — Plan: T\n{'x' * 300_000}",
    ],
)
def test_what_no_entry_can_be_made_of_is_kept_apart(tmp_path: Path, heading: str) -> None:
    """It ends the entry above, is kept with its line numbers, and no date is guessed."""
    rest = f"{heading}\n\ntext\n### Section".split("\n")
    log = "## 2026-01-23 — Plan: One\nfirst\n{}\n\n## 2026-01-25 — Plan: Two\n"
    [one, two], said, lines = imported(tmp_path, log.format("\n".join(rest)))
    assert (one.body, two.body) == ("\n# One\n\nfirst\n", "\n# Two\n")
    assert any(it.startswith(f"3-{2 + len(rest)}: is in no entry; ") for it in said)
    numbered = [f"{at}: {line}" for at, line in enumerate(rest, 3) if line]
    assert lines == numbered


MISSED = [
    "```\n## 2026-01-24 — T\n```",
    "<!--\n## 2026-01-24 — T\n### S\n-->",
    "> ## 2026-01-24 — Plan: T",
    "##2026-01-24 — Plan: T",
    "2026-01-24 — Plan: T\n-----",
]


@pytest.mark.parametrize("lines", MISSED)
def test_what_only_looks_like_a_heading_stays_and_is_named(tmp_path: Path, lines: str) -> None:
    """Nothing in code, comments or quotes is changed."""
    [entry], said, _ = imported(tmp_path, f"## 2026-01-23 — Plan: T\n{lines}\n")
    assert entry.body == f"\n# T\n\n{lines}\n"
    assert any("looks like the heading of an entry" in it for it in said)


def test_names_are_distinct(tmp_path: Path) -> None:
    """Equal titles get numbers, also where a title has that number already."""
    titles = ["A b", "a  B!", "A b 2", "日本", "日本", "A b"]
    (tmp_path / "log.md").write_text("\n".join(f"## 2026-01-23 — Plan: {it}\n" for it in titles))
    names = [path.stem[11:] for path in read_import(tmp_path / "log.md", tmp_path).files]
    assert names == ["a-b", "a-b-2", "a-b-2-2", "plan", "plan-2", "a-b-3"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_and_line_ends_change_nothing(tmp_path: Path, codec: str, end: str) -> None:
    """The files are the same, byte for byte."""
    log = tmp_path / "bakery.md"
    log.write_bytes(BAKERY.read_text("utf-8").replace("\n", end).encode(codec))
    assert read_import(log, tmp_path).files == read_import(BAKERY, tmp_path).files


def test_control_characters_are_escaped_and_named(tmp_path: Path) -> None:
    """They are kept visibly."""
    [entry], said, _ = imported(tmp_path, "## 2026-01-23 - Plan: a\0\n\n\tfine\n\x0b\u2028\ufffe\n")
    assert entry.body == "\n# a\\x00\n\n\tfine\n\\x0b\\u2028\\ufffe\n"
    assert [it[:2] for it in said if "control characters" in it] == ["1:", "4:"]


def refused(log: Path, out: Path, *arguments: str) -> str:
    """The one sentence that the command ends with."""
    done: Result = CliRunner().invoke(
        import_log_command, [str(log), "--out", str(out), *arguments], standalone_mode=False
    )
    assert isinstance(done.exception, CasebookError), done.exception
    assert "\n" not in str(done.exception)
    return str(done.exception)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "log.md: holds no entry that fits a page; begin one with `## YYYY-MM-DD"),
        (b"# Log\n\n## Notes\n", "holds no entry"),
        (b"a\ncaf\xe9\n", "log.md:2: is not UTF-8; save the log as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a\0\0\xd8b", "log.md:1: is not UTF-16; save the log as UTF-8"),
        (None, "log.md: is not a file; name a log"),
    ],
)
def test_a_log_that_is_none(tmp_path: Path, raw: bytes | None, said: str) -> None:
    """One sentence: the place, what is wrong, the remedy; nothing is written."""
    if raw is not None:
        (tmp_path / "log.md").write_bytes(raw)
    assert said in refused(tmp_path / "log.md", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_was_written_is_said_and_nothing_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries go into the working directory, a dry run writes none, a second import is refused."""
    monkeypatch.chdir(tmp_path)
    dry = CliRunner().invoke(import_log_command, [str(BAKERY), "--dry-run"])
    assert not (tmp_path / "playbooks").exists()
    done = CliRunner().invoke(import_log_command, [str(BAKERY)])
    out = Path("playbooks/logs")
    assert (
        done.stdout
        == dry.stdout.replace("Would write", "Wrote")
        == (
            f"Wrote 4 entries, and 7 lines in no entry (bakery.unplaced.txt), to {out}; "
            "next, give the entries `cases` and run `python -m validators check`\n"
        )
    )
    assert "bakery.md:1-3: is in no entry" in done.stderr
    first, *others = sorted(out.iterdir())
    for file in others:
        file.unlink()
    first.write_text("mine")
    assert "holds 1 of the 5 files that bakery.md becomes" in refused(BAKERY, out)
    assert [*out.iterdir()] == [first] and first.read_text() == "mine"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """All entries are written, or none, and what stood there stays."""
    found = read_import(BAKERY, tmp_path / "out")
    *_, last = found.files
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "other.md").write_text("mine")

    def failing(place: Path) -> AbstractContextManager[None]:
        if place == last:
            raise error
        return naming(place)

    monkeypatch.setattr(import_log, "naming", failing)
    with pytest.raises(type(error)):
        found.write()
    assert [it.name for it in (tmp_path / "out").iterdir()] == ["other.md"]


# `{}` is where a word goes that stands nowhere else in the log.
LINES = [
    "## 2026-01-23 — Plan: {}",
    "## 2026-01-23 - Bugfix: {}",
    "## 2026-01-23 — {}: {} - {} ##",
    "## 2026-02-30 — Plan: {}",
    "2026-01-24 — Plan: {}",
    "## {}",
    "# {}",
    "### {}",
    "--- {}",
    "===",
    "```{}",
    "```",
    "<!-- {}",
    "{} -->",
    "<div>{}",
    "**Type**: {}",
    "**General description**: {}",
    "- **General description**: {}: [*&!>|%@`",
    "- {}",
    "    {}",
    "\t{}\x00",
    "> ## {}",
    "\x0c\x1b{}\u2028{}",
    "{}: - # {}",
    "`case:{}` [{}]({}.md) REWRITE: {}",
    " \xa0{}\ufeff",
    "",
]


@given(st.lists(st.sampled_from(LINES), max_size=30), st.sampled_from(["\n", "\r\n"]))
def test_every_word_of_a_log_lands_once(drawn: list[str], end: str) -> None:
    """In an entry's body, in its front matter, or among the lines that are in none."""
    count = 0
    lines = ["## 2026-01-22 — Plan: T"]
    for line in drawn:
        places = line.count("{}")
        lines.append(line.format(*(f"q{count + at}q" for at in range(places))))
        count += places
    with tempfile.TemporaryDirectory() as name:
        entries, _, rest = imported(Path(name), end.join(lines))
    text = "\n".join([*map(placed, entries), *rest])
    assert Counter(re.findall("q[0-9]+q", text)) == Counter(f"q{n}q" for n in range(count))


def placed(entry: LogEntry) -> str:
    """The text of an entry, once: a title that stands in for a description is left out."""
    title = entry.body.split("\n")[1].removeprefix("# ")
    return f"{entry.body}\n{entry.meta.summary if entry.meta.summary != title else ''}"


@given(st.sampled_from(["", "\n**General description**: "]), st.text(), st.text())
def test_any_text_becomes_sound_entries_or_one_sentence(field: str, title: str, text: str) -> None:
    """No traceback, and nothing that the log's reader would refuse."""
    raw = f"## 2026-01-23 - Plan: {title}{field}{text}".encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as name, contextlib.suppress(CasebookError):
        imported(Path(name), raw)
