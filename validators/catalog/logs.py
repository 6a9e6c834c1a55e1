"""The experiment log: one dated file an entry, `DATE-slug.md`."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec import Struct

from validators.catalog.frontmatter import Text
from validators.catalog.page import InvalidPage, line_of, parse_fields, split_page
from validators.errors import Problem

Relation = Literal["introduces", "supports", "refutes"]


class LogMeta(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of a log entry; `supersedes` names an older entry's file without `.md`."""

    date: datetime.date
    type: Literal["plan", "observation", "retrospective"]
    summary: Text
    cases: dict[str, Relation] = {}
    supersedes: str = ""


@dataclass(frozen=True)
class LogEntry:
    """One experiment, plan, observation or retrospective; the file name is the id."""

    name: str
    path: Path
    meta: LogMeta
    body: str
    body_line: int
    lines: dict[str, int]
    """Where the front matter's `cases` and `supersedes` stand, for errors."""


def load_logs(folder: Path) -> tuple[list[LogEntry], list[Problem]]:
    """The readable entries of `folder`, newest first, and the defects of the others.

    A folder that is not there holds no entries.
    """
    entries, problems = [], []
    for path in sorted(folder.glob("*.md")):
        try:
            entries.append(_read_entry(path))
        except InvalidPage as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(path, 0, f"cannot be read ({error.strerror}); fix the file"))
    names = {entry.name for entry in entries}
    for entry in entries:
        older = entry.meta.supersedes
        if older and older not in names:
            message = f"`supersedes`: there is no entry {older!r}; name a file beside this one"
            problems.append(Problem(entry.path, entry.lines["supersedes"], message))
    return sorted(entries, key=lambda e: (e.meta.date, e.name), reverse=True), problems


def unknown_cases(entry: LogEntry, names: Iterable[str]) -> list[Problem]:
    """A problem for each case of the front matter that is not among `names`."""
    known = set(names)
    return [
        Problem(entry.path, entry.lines["cases"], f"`cases`: no case is named {name!r}; mend it")
        for name in entry.meta.cases
        if name not in known
    ]


def _read_entry(path: Path) -> LogEntry:
    source, body, body_line = split_page(path)
    meta = parse_fields(path, source, LogMeta)
    if not path.name.startswith(f"{meta.date}-"):
        message = f"`date` is {meta.date} but the file is not named {meta.date}-SLUG.md; rename it"
        raise InvalidPage([Problem(path, line_of(source, "date"), message)])
    lines = {key: line_of(source, key) for key in ("cases", "supersedes")}
    return LogEntry(path.stem, path, meta, body, body_line, lines)
