"""What a reference says of one case."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_LOGS
from validators.evidence.columns import Column
from validators.evidence.stored.examples import SILENT
from validators.evidence.wording import cut, lines_that_show, literal, wordings
from validators.families.patterns import signatures_of
from validators.repository import Repository
from validators.skillpack.standing import standing

_BARE = re.compile(r"\w+\s*$")
"""The name of an exception alone, which tells as much as no line."""
_AROUND = 2
"""The unchanged lines that a change is shown with."""


@dataclass(frozen=True)
class Section:
    """The part of a reference about one case."""

    case: Case
    text: str


def section_of(case: Case, repository: Repository, columns: list[Column]) -> Section:
    """The section of a case: what a log shows, the fix, where it holds, and the change of code.

    Its heading holds the name and the lines of a log, so that one search leads to the section.
    """
    lines = [
        heading(case, repository),
        "",
        f"{case.title}. {case.summary}",
        "",
        f"- Fix: {case.fix}",
        f"- {standing(case, repository, columns)}",
        *_change(case),
    ]
    return Section(case, "\n".join(lines) + "\n\n")


def heading(case: Case, repository: Repository) -> str:
    """The heading of a case: its name, and the lines by which a log shows it."""
    seen = _seen(case, repository)
    if seen in ([], [SILENT]):
        return f"## {case.name} | {'silent' if seen else 'not run'}"
    logs = "" if case.meta.torch_logs == DEFAULT_LOGS else f" (TORCH_LOGS={case.meta.torch_logs})"
    return f"## {case.name} | {' / '.join(seen)}{logs}"


def _seen(case: Case, repository: Repository) -> list[str]:
    """The wordings of the line that shows the case; `[SILENT]` if it prints none.

    If no example of the case ran, a text of its signatures; empty if it has none.
    """
    lines = lines_that_show(case, repository.examples.get(case.name))
    if not lines:
        return [text] if (text := cut(literal(case))) else []
    telling = [line for line in lines if line != SILENT and not _BARE.match(line)]
    return wordings(telling, signatures_of(case)) or [SILENT]


def _change(case: Case) -> Iterator[str]:
    """What the fix changes in the example, as a diff without its head."""
    if not case.example:
        return
    before, after = (
        side.code.rstrip("\n").split("\n") for side in (case.example.before, case.example.after)
    )
    diff = [*difflib.unified_diff(before, after, n=_AROUND, lineterm="")][2:]
    yield from ("", "```diff")
    yield from ("@@" if line.startswith("@@") else line for line in diff[1:])
    yield "```"
