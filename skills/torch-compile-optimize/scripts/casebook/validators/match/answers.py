"""What an answer says of a case: its title, its fix, and what is known on a release."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from validators.catalog import Case


@dataclass(frozen=True)
class Answer:
    """A case as the answer to a log.

    `decided` has the verdict of each column that decides the claim, older releases first,
    `fixed_in` the releases that upstream fixes came with.
    """

    title: str
    summary: str
    fix: str
    decided: dict[str, str]
    fixed_in: list[str]


def answer_of(case: Case, decided: Mapping[str, str]) -> Answer:
    """The answer about `case`, which has the verdicts `decided`, by column."""
    ordered = sorted(decided, key=lambda column: (_release(column), column))
    fixed = [it.fixed_in for it in case.meta.upstream if it.fixed_in]
    said = {it: decided[it] for it in ordered}
    return Answer(case.title, case.summary, case.fix, said, fixed)


def status_on(answer: Answer, torch: str) -> str:
    """What is known of the claim on the release `torch`, such as "2.13.0"; "" if `torch` is "".

    It is what programs decided there; else the release that has the fix; else what they decided on
    the nearest releases before and after.
    """
    if not torch:
        return ""
    prefixes = (f"torch-{torch}-", f"torch-{torch}.", f"torch-{torch}+")
    if on := [column for column in answer.decided if column.startswith(prefixes)]:
        return _said(answer, on)
    named = _numbers(torch)
    if fixed := [fix for fix in answer.fixed_in if named >= _numbers(fix)]:
        return f"fixed in {fixed[0]}"
    releases = sorted(map(_release, answer.decided))
    nearest = [it for it in releases if it < named][-1:] + [it for it in releases if it > named][:1]
    elsewhere = [column for column in answer.decided if _release(column) in nearest]
    return f"undecided on torch {torch}; {_said(answer, elsewhere) or 'nothing has decided it'}"


def _said(answer: Answer, columns: list[str]) -> str:
    return ", ".join(f"{answer.decided[column]} on {column}" for column in columns)


def _release(column: str) -> list[int]:
    return _numbers(column.split("-")[1])


def _numbers(release: str) -> list[int]:
    """The first three numbers of a release, with 0 for each that is missing."""
    found = [int(number) for number in re.findall(r"[0-9]+", release)[:3]]
    return [*found, 0, 0, 0][:3]
