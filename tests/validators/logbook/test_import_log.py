"""`import-log`: what becomes of a log in one file, and that none of its text is lost."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from validators.catalog.logs import LogEntry, load_logs
from validators.cli.maintain.import_log import import_log_command
from validators.errors import CasebookError
from validators.logbook.import_log import split_log

BAKERY = Path(__file__).parent / "bakery.md"


def imported(folder: Path, text: str) -> tuple[list[LogEntry], list[str]]:
    """The entries of a log with this text, as the log's reader takes them, and the other lines."""
    log, out = folder / "log.md", folder / "out"
    log.write_text(text, encoding="utf-8")
    pages, rest = split_log(log)
    out.mkdir()
    for name, page in pages.items():
        (out / f"{name}.md").write_text(page, encoding="utf-8")
    entries, problems = load_logs(out)
    assert not problems
    return sorted(entries, key=lambda entry: entry.name), rest


def test_a_whole_log(tmp_path: Path) -> None:
    """Names, types, summaries, a body with its sections one level up, and the other lines."""
    (plan, bugfix, experiment), rest = imported(tmp_path, BAKERY.read_text("utf-8"))
    assert (plan.name, plan.meta.type, plan.title) == (
        "2025-03-01-a-starter-that-survives-the-weekend",
        "plan",
        "A starter that survives the weekend",
    )
    assert plan.meta.summary == (
        'On Mondays the bread is flat; we want to know whether "feeding: twice" (or a colder '
        "shelf) helps — #1 complaint of `regular customers`."
    )
    assert (bugfix.meta.type, experiment.meta.type) == ("retrospective", "observation")
    log = BAKERY.read_text("utf-8")
    text = log[log.index("### Root cause") : log.index("\n\n## 2025-03-04 - Exp")]
    text = text.replace("### Root", "## Root").replace("#### By", "### By")
    assert bugfix.body == f"\n# Bugfix: Oven door left ajar\n\n{text}\n"
    assert experiment.meta.summary == experiment.title == "Experiment: Templates on the price tags"
    assert experiment.body.endswith("\n\n<!-- the next entry goes above this line -->\n")
    assert rest == [
        "1: # Bakery log",
        "3: What we bake, and what came of it; oldest first.",
        "5: ## How an entry looks",
        "7: - **Type**: one of Plan | Observation | Retrospective",
    ]


@pytest.mark.parametrize(
    ("heading", "kind", "title"),
    [
        ("## 2026-01-23 \u2013 PLAN — T", "plan", "T"),
        ("## 2026-01-23: Retrospective: C#", "retrospective", "C#"),
        ("##\t2026-01-23 Plan: a: b — c ##", "plan", "a: b — c"),
        ("## 2026-01-23 — Planned: T", "observation", "Planned: T"),
        ("## 2026-01-23 — Plan", "plan", "Plan"),
        ("## 2026-01-23", "observation", "2026-01-23"),
        ("## 2026-01-23 — Observation: T\n**Type:** plan", "plan", "Observation: T"),
    ],
)
def test_the_heading_says_date_type_and_title(
    tmp_path: Path, heading: str, kind: str, title: str
) -> None:
    """A word that is not the type stays in the title, which stands in for a description."""
    [entry], _ = imported(tmp_path, f"{heading}\ntext\n")
    assert (str(entry.meta.date), entry.meta.type) == ("2026-01-23", kind)
    assert (entry.meta.summary, entry.body) == (title, f"\n# {title}\n\ntext\n")


@pytest.mark.parametrize("heading", ["## Notes", "## 2026-02-30 — Plan: T", "# Part two", "##"])
def test_what_no_entry_can_be_made_of_is_kept_apart(tmp_path: Path, heading: str) -> None:
    """It ends the entry above, is kept with its line numbers, and no date is guessed."""
    log = f"## 2026-01-23 — Plan: One\nfirst\n{heading}\n\ntext\n## 2026-01-25 — Plan: Two\n"
    [one, two], rest = imported(tmp_path, log)
    assert (one.body, two.body) == ("\n# One\n\nfirst\n", "\n# Two\n")
    assert rest == [f"3: {heading}", "5: text"]


@pytest.mark.parametrize(
    "lines",
    [
        "```\n## 2026-01-24 — Plan: T\n```",
        "<!--\n## 2026-01-24 — Plan: T\n### S\n-->",
        "> ## 2026-01-24 — Plan: T",
        "**Type**: Pln",
        "## S\n\n**Type**: Plan",
    ],
)
def test_what_only_looks_like_a_heading_or_a_field_stays(tmp_path: Path, lines: str) -> None:
    """Code, comments and quotes hold no headings, and fields come before the first section."""
    log = f"## 2026-01-23 — T\n{lines}\n".replace("\n## S", "\n### S")
    [entry], _ = imported(tmp_path, log)
    assert entry.body == f"\n# T\n\n{lines}\n"
    assert entry.meta.type == "observation"


def test_names_are_distinct(tmp_path: Path) -> None:
    """Equal titles get numbers, also where a title has that number already."""
    titles = ["A b", "a  B!", "A b 2", "日本", "日本"]
    (tmp_path / "log.md").write_text("\n".join(f"## 2026-01-23 — Plan: {it}\n" for it in titles))
    names = [name[11:] for name in split_log(tmp_path / "log.md")[0]]
    assert names == ["a-b", "a-b-2", "a-b-2-2", "plan", "plan-2"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"# Log\n\n## Notes\n", "log.md: holds no entry; begin one with `## YYYY-MM-DD"),
        (b"a\ncaf\xe9\n", "log.md: is not UTF-8; save the log as UTF-8"),
        (b"a\r\n\x0b\r\n", "log.md:2: holds the control character U+000B; remove it"),
    ],
)
def test_a_log_that_is_none(tmp_path: Path, raw: bytes, said: str) -> None:
    """One sentence: the place, what is wrong, the remedy."""
    (tmp_path / "log.md").write_bytes(raw)
    with pytest.raises(CasebookError, match=re.escape(said)):
        split_log(tmp_path / "log.md")


def test_what_was_written_is_said_and_nothing_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries go into the working directory, a dry run writes none, a second import is refused."""
    monkeypatch.chdir(tmp_path)
    dry = CliRunner().invoke(import_log_command, [str(BAKERY), "--dry-run"])
    assert not (tmp_path / "playbooks").exists()
    done = CliRunner().invoke(import_log_command, [str(BAKERY)])
    assert done.stdout == dry.stdout.replace("to write", "written")
    assert done.stdout.startswith("Entries written to playbooks/logs: 3\n")
    assert "Lines in no entry, written to playbooks/logs/bakery.unplaced.txt: 4\n" in done.stdout
    out = tmp_path / "playbooks" / "logs"
    assert len([*out.iterdir()]) == 4
    (out / "bakery.unplaced.txt").unlink()
    again = CliRunner().invoke(import_log_command, [str(BAKERY)])
    assert "already exists; name another folder with --out" in str(again.exception)
    assert not (out / "bakery.unplaced.txt").exists()


# `{}` is where a word goes that stands nowhere else in the log.
LINES = [
    "## 2026-01-23 — Plan: {}",
    "## 2026-01-23 - Bugfix: {}",
    "## 2026-01-23 — {}: {} - {} ##",
    "## 2026-02-30 — Plan: {}",
    "## {}",
    "# {}",
    "### {}",
    "--- {}",
    "===",
    "```{}",
    "```",
    "<!-- {}",
    "{} -->",
    "**Type**: {}",
    "**General description**: {}",
    "**General description:** - {}: [*&!>|%@`",
    "- {}",
    "\t{}",
    "> ## {}",
    "{}: - # {}",
    " \xa0{}\ufeff\ufffe",
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
        entries, rest = imported(Path(name), end.join(lines))
    text = "\n".join([*map(placed, entries), *rest])
    assert Counter(re.findall("q[0-9]+q", text)) == Counter(f"q{n}q" for n in range(count))


def placed(entry: LogEntry) -> str:
    """The text of an entry, once: a title that stands in for a description is left out."""
    summary = entry.meta.summary
    return f"{entry.body}\n{summary if summary != entry.title else ''}"
