"""What each example prints, on each release, leads to its case, whatever the wording there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from validators.catalog import Case
from validators.catalog.page import line_of, split_page
from validators.errors import Problem
from validators.families.patterns import signatures_of
from validators.match import Index, search
from validators.repository import Repository

_BY_WORDS = 6
"""So many cases may come before the right one by words alone."""


@dataclass(frozen=True)
class Printed:
    """A case, and what its program before the fix printed where it showed the trouble.

    `signed` are the texts with a line that a signature of the case matches.
    """

    case: Case
    logs: Sequence[str]
    signed: Sequence[str]


def printed_logs(repository: Repository) -> list[Printed]:
    """Return the cases whose examples show the trouble, with each text that they print."""
    printed = []
    for name, runs in sorted(repository.examples.items()):
        case = repository.catalog.by_name.get(name)
        shown = (run.before for run in runs.columns.values() if run.verdict == "confirmed")
        logs = sorted({runs.printed.get(before, "") for before in shown})
        if case and logs and not case.retired:
            signed = [log for log in logs if _is_signed(case, log)]
            printed.append(Printed(case, logs, signed))
    return printed


def _is_signed(case: Case, log: str) -> bool:
    lines = log.splitlines()
    return any(re.search(pattern, line) for pattern in signatures_of(case) for line in lines)


def check_signatures(index: Index, printed: Printed) -> Iterator[Problem]:
    """Find lines of an example that lead to another case, and labels that nothing needs.

    Of the cases that have a line as evidence, only those may come first that the page calls
    `alike`. Signatures are of lines that the example prints, or the page says whose they are.
    """
    case, alike = printed.case, set(printed.case.meta.alike)
    rivals = [_rivals(index, case, log) for log in printed.signed]
    by_line = set[str]().union(*(it.by_line for it in rivals))
    before = set[str]().union(*(it.before for it in rivals))
    by_words = max((it.by_words for it in rivals), default=0)
    if not all(it.named for it in rivals):
        message = "`match` does not name the case for what its example prints"
        yield _problem(case, "signatures", f"{message}; write signatures that say more")
    for name in sorted(before - alike):
        message = (
            f"a line that a signature fits leads to {name} first; write a signature that only your"
            " cause prints, or name that case under `alike` and say why it fits as well"
        )
        yield _problem(case, "signatures", message)
    if by_words > _BY_WORDS:
        message = f"{by_words} cases come first by words alone, more than {_BY_WORDS}"
        yield _problem(case, "signatures", f"{message}; write signatures that say more")
    for name in sorted(alike - by_line):
        message = f"`alike`: {name} has no line of the example as evidence; remove it"
        yield _problem(case, "alike", message)
    if printed.signed and case.meta.signatures_from:
        message = "`signatures_from`: the example prints such a line itself; remove the field"
        yield _problem(case, "signatures_from", message)
    if case.meta.signatures and not (printed.signed or case.meta.signatures_from):
        message = "no signature fits a line of the example on any release; correct the signatures"
        yield _problem(case, "signatures", f"{message}, or say whose lines they fit")


def check_silent(repository: Repository, printed: Sequence[Printed]) -> Iterator[Problem]:
    """Find cases that name others under `alike` although nothing that they print is known."""
    printing = {it.case.name for it in printed}
    for case in repository.catalog.cases:
        if case.meta.alike and case.name not in printing:
            yield _problem(case, "alike", "`alike`: the example prints nothing; remove the field")


@dataclass(frozen=True)
class _Rivals:
    """The other cases that have a line as evidence, all and those before the right one.

    `named` says whether the right one is an answer at all, `by_words` how many others precede it.
    """

    named: bool
    by_line: set[str]
    before: set[str]
    by_words: int


def _rivals(index: Index, case: Case, log: str) -> _Rivals:
    found = search(index, enumerate(log.splitlines(), 1), most=len(index.cases))
    # A costlier cause in the same log comes first; its cases are no rivals for that.
    matches = sorted(found.matches, key=lambda it: -it.score)
    names = [match.page.name for match in matches]
    named = case.name in names
    before = set(names[: names.index(case.name)]) if named else set[str]()
    by_line = {match.page.name for match in matches if match.lines} - {case.name}
    return _Rivals(named, by_line, before & by_line, len(before - by_line))


def _problem(case: Case, field: str, message: str) -> Problem:
    source, _, _ = split_page(case.page)
    return Problem(case.page, line_of(source, field), message)
