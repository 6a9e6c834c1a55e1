"""What an answer says of a case: its remedy in one line, and what is known of a release."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from validators.catalog import Case

_UNTOLD = re.compile(r"<!--.*?-->|^\|.*?$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_SETTING_UP = re.compile(r"$|#|(?:import|from)\s")
_SENTENCE = re.compile(r"(?:`[^`]*`|.)+?(?:\.|: `[^`]*`)(?= [A-Z`]|$)")
_FEW = 25
"""Characters of a sentence that says too little alone."""


class Answer(Struct, frozen=True):
    """A case as the answer to a log.

    `decided` has the verdict of each column that decides the claim, older releases first,
    `fixed` the releases that upstream fixes came with.
    """

    title: str
    remedy: str
    decided: dict[str, str]
    fixed: list[str]


def answer_of(case: Case, decided: Mapping[str, str]) -> Answer:
    """What can be said of `case`, which has the verdicts `decided`, by column."""
    ordered = sorted(decided, key=lambda column: (_release(column), column))
    fixed = [it.fixed_in for it in case.meta.upstream if it.fixed_in]
    return Answer(case.title, remedy_line(case), {it: decided[it] for it in ordered}, fixed)


def remedy_line(case: Case) -> str:
    """How the page's remedy begins, as plain text: a sentence or two and the code they lead to."""
    text = _FENCED.sub(_beginning, _UNTOLD.sub("", case.sections.get("Remedy", "")))
    text = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).split())
    end = next((it.end() for it in _SENTENCE.finditer(text) if it.end() >= _FEW), len(text))
    return text[:end].replace("`case:", "`")


def _beginning(code: re.Match[str]) -> str:
    """The first statement of a block, in one line."""
    stripped = [line.strip() for line in code[1].splitlines()]
    lines = [line for line in stripped if not _SETTING_UP.match(line)] or stripped
    goes_on = [line.startswith("@") or line.endswith((":", "(", "[", "{", ",")) for line in lines]
    first = goes_on.index(False) + 1 if False in goes_on else len(lines)
    more = " …" if len(lines) > first else ""
    return f"`{' '.join(lines[:first])}{more}`"


def status_on(answer: Answer, torch: str) -> str:
    """What is known of the claim on the release `torch`, such as "2.13.0"; "" where it is "".

    What programs decided there comes first, then where the fix is, then what they decided on the
    nearest releases before and after.
    """
    if not torch:
        return ""
    prefixes = (f"torch-{torch}-", f"torch-{torch}.", f"torch-{torch}+")
    if on := [column for column in answer.decided if column.startswith(prefixes)]:
        return _said(answer, on)
    named = _numbers(torch)
    if fixed := [fix for fix in answer.fixed if named >= _numbers(fix)]:
        return f"fixed in {fixed[0]}"
    releases = sorted(map(_release, answer.decided))
    nearest = [it for it in releases if it < named][-1:] + [it for it in releases if it > named][:1]
    elsewhere = [column for column in answer.decided if _release(column) in nearest]
    return f"not run on torch {torch}; {_said(answer, elsewhere) or 'nothing has decided it'}"


def _said(answer: Answer, columns: list[str]) -> str:
    return ", ".join(f"{answer.decided[column]} on {column}" for column in columns)


def _release(column: str) -> list[int]:
    return _numbers(column.split("-")[1])


def _numbers(release: str) -> list[int]:
    """The first three numbers of a release, of which each that is missing is 0."""
    found = [int(number) for number in re.findall(r"[0-9]+", release)[:3]]
    return [*found, 0, 0, 0][:3]
