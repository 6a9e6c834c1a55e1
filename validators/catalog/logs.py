"""The experiment log: one dated file per entry, `DATE-slug.md`."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from validators.catalog.case import first_heading
from validators.catalog.frontmatter import Text
from validators.catalog.page import InvalidPage, line_of, parse_fields, split_page
from validators.environment.column_pattern import ColumnName
from validators.errors import Problem

EntryType = Literal["plan", "observation", "retrospective"]
TYPES: tuple[EntryType, ...] = get_args(EntryType)
Relation = Literal["introduces", "supports", "refutes"]


class LogMeta(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of a log entry; `supersedes` names an older entry's file without `.md`.

    `cases` says what the entry did to each case: to its claim or, of a retraction, to the belief
    that it retracts. `evidence` names the columns whose records agree; if empty, any column may.
    """

    date: datetime.date
    type: EntryType
    summary: Text
    cases: dict[str, Relation] = {}
    supersedes: str = ""
    evidence: tuple[ColumnName, ...] = ()


@dataclass(frozen=True)
class LogEntry:
    """One experiment, plan, observation or retrospective; the file name is the id."""

    name: str
    path: Path
    meta: LogMeta
    body: str
    body_line: int
    lines: dict[str, int]
    """The lines of the front matter's fields, for errors."""

    @cached_property
    def title(self) -> str:
        """The entry's H1, or what its file name says."""
        slug = self.name.removeprefix(f"{self.meta.date}-").replace("-", " ").replace("_", " ")
        return first_heading(self.body) or slug.capitalize()


def load_logs(folder: Path) -> tuple[list[LogEntry], list[Problem]]:
    """The readable entries of `folder`, newest first, and the defects of the others.

    A missing folder holds no entries.
    """
    entries, problems = [], []
    for path in sorted(folder.glob("*.md")):
        try:
            entries.append(_read_entry(path))
        except InvalidPage as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(path, 0, f"cannot be read ({error.strerror}); fix the file"))
    problems += _wrong_order(entries)
    return sorted(entries, key=lambda e: (e.meta.date, e.name), reverse=True), problems


def _wrong_order(entries: list[LogEntry]) -> Iterator[Problem]:
    """A problem for each entry that supersedes a missing entry, or one that is not older."""
    by_name = {entry.name: entry for entry in entries}
    for entry in entries:
        name = entry.meta.supersedes
        older = by_name.get(name)
        if name and older is None:
            message = f"`supersedes`: there is no entry {name!r}; name a file beside this one"
        elif older and (
            older is entry
            or older.meta.date > entry.meta.date
            or older.meta.supersedes == entry.name  # two of one day supersede each other
        ):
            message = f"`supersedes`: {name!r} is not older than this entry; name one that is"
        else:
            continue
        yield Problem(entry.path, entry.lines["supersedes"], message)


def unknown_cases(entry: LogEntry, names: Iterable[str]) -> list[Problem]:
    """A problem for each case in the front matter that is not among `names`."""
    known = set(names)
    return [
        Problem(
            entry.path, entry.lines["cases"], f"`cases`: no case is named {name!r}; fix the name"
        )
        for name in entry.meta.cases
        if name not in known
    ]


def _read_entry(path: Path) -> LogEntry:
    source, body, body_line = split_page(path)
    meta = parse_fields(path, source, LogMeta)
    if not path.name.startswith(f"{meta.date}-"):
        message = f"`date` is {meta.date} but the file is not named {meta.date}-SLUG.md; rename it"
        raise InvalidPage([Problem(path, line_of(source, "date"), message)])
    lines = {key: line_of(source, key) for key in ("cases", "supersedes", "summary", "evidence")}
    return LogEntry(path.stem, path, meta, body, body_line, lines)
