"""What a reference says of one case, and the line by which the index leads to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_LOGS
from validators.evidence.columns import Column
from validators.evidence.examples import SILENT
from validators.evidence.wording import cut, lines_that_show, literal, wordings
from validators.match.building import signatures_of
from validators.repository import Repository
from validators.skillpack.standing import standing

_BARE = re.compile(r"\w+\s*$")
"""The name of an exception alone, which tells as much as no line."""


@dataclass(frozen=True)
class Section:
    """The part of a reference about one case."""

    case: Case
    seen: str
    text: str


def section_of(case: Case, repository: Repository, columns: list[Column]) -> Section:
    """The section of a case: what is seen, the fix, where it holds, before and after."""
    seen = _seen(case, repository)
    lines = [
        f"## {case.name}",
        "",
        f"{case.title}. {case.summary}",
        "",
        f"- {_in_the_log(case, seen)}",
        f"- Fix: {case.fix}",
        f"- Holds: {standing(case, repository, columns)}.",
        "",
    ]
    for side in (case.example.before, case.example.after) if case.example else ():
        lines += [f"{side.side.capitalize()}:", "", "```python", side.code.rstrip("\n"), "```", ""]
    return Section(case, _for_search(case, seen), "\n".join(lines) + "\n")


def _seen(case: Case, repository: Repository) -> list[str]:
    """The wordings of the line that shows the case; `[SILENT]` if it prints none.

    If no example of the case ran, a text of its signatures; empty if it has none.
    """
    lines = lines_that_show(case, repository.examples.get(case.name))
    if not lines:
        return [text] if (text := cut(literal(case))) else []
    telling = [it for it in lines if it != SILENT and not _BARE.match(it)]
    return wordings(telling, signatures_of(case)) or [SILENT]


def _in_the_log(case: Case, seen: list[str]) -> str:
    if seen == [SILENT]:
        return "In the log: nothing."
    if not seen:
        return "In the log: nothing that is known."
    logs = "" if case.meta.torch_logs == DEFAULT_LOGS else f" (TORCH_LOGS={case.meta.torch_logs})"
    return f"In the log{logs}: {' / '.join(_code(it) for it in seen)}"


def _for_search(case: Case, seen: list[str]) -> str:
    if seen in ([], [SILENT]):
        return f"{'silent' if seen else 'not run'}: {case.title}. {case.summary}"
    return f"{' / '.join(seen)} | {case.title}"


def _code(line: str) -> str:
    """`line` as code; longer marks around it where it has backticks itself."""
    return f"`` {line} ``" if "`" in line else f"`{line}`"
