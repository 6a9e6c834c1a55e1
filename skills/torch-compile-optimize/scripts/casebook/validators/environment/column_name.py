"""The release in the name of a column, and the order of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from operator import itemgetter

_RELEASE = re.compile(r"([0-9]+(?:\.[0-9]+)*)(.*)")
_BEFORE_FINAL = re.compile(r"\.?(?:(dev)|a|b|rc)[0-9]")


def release_of(column: str) -> str:
    """The release of torch of a column, as "2.13.0"."""
    return column.removeprefix("torch-").partition("-")[0]


@cache
def by_release(column: str) -> tuple[list[int], int, list[int], bool, str]:
    """Sorts columns by torch release, 2.9.1 before 2.11.0; within a release, a CPU comes first."""
    # Not `packaging`, which takes 10 ms to import: columns are sorted in every list.
    found = _RELEASE.match(release_of(column))
    release, rest = found.groups() if found else ("", "")
    before = _BEFORE_FINAL.match(rest)
    stage = (0 if before[1] else 1) if before else 2
    return _numbers(release), stage, _numbers(rest), not column.endswith("-cpu"), column


def release_order(column: str) -> tuple[list[int], int, list[int]]:
    """Sorts columns by torch release alone."""
    return by_release(column)[:3]


def spans(row: Iterable[tuple[str, bool]], least: int) -> list[str]:
    """The chosen releases of a row; at least `least` neighbours become "2.9.1 to 2.15.0".

    Args:
        row: Releases in order, each with whether it is chosen.
        least: How many neighbours make a range.
    """
    found: list[str] = []
    for is_chosen, run in groupby(row, key=itemgetter(1)):
        names = [release for release, _ in run] if is_chosen else []
        found += names if len(names) < least else [f"{names[0]} to {names[-1]}"]
    return found


def span(releases: Iterable[str], recorded: Iterable[str]) -> str:
    """Some of the recorded releases in words, such as "2.9.1 to 2.13.0, 2.15.0"; "" for none."""
    chosen = set(releases)
    order = sorted(set(recorded), key=release_order)
    return ", ".join(spans(((it, it in chosen) for it in order), least=2))


def _numbers(text: str) -> list[int]:
    """Its numbers, of each at most 18 digits: Python refuses to read thousands."""
    return [int(digits[:18]) for digits in re.findall(r"[0-9]+", text)]
