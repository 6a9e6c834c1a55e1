"""Terms and the pages that hold them, as two short texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

_BASE = 26
_STEP = re.compile(r"[A-Z]*[a-z]")


def packed(holders: Mapping[str, Sequence[int]]) -> tuple[str, str]:
    """The terms in order, and for each the numbers of its pages, which must increase.

    A term begins with a letter for how many characters it shares with the term before it. A number
    is written as the step from the one before, in letters; the last letter of each is small.
    """
    terms, pages, before = [], [], ""
    for term in sorted(holders):
        shared = min(_shared(before, term), _BASE - 1)
        terms.append(_letter(shared) + term[shared:])
        pages.append("".join(map(_written, _steps(holders[term]))))
        before = term
    return " ".join(terms), " ".join(pages)


def unpacked(terms: str, holders: str) -> Iterator[tuple[str, list[int]]]:
    """The terms and their pages' numbers, as they were packed."""
    term = ""
    for ending, steps in zip(terms.split(), holders.split(), strict=True):
        term = term[: ord(ending[0]) - ord("a")] + ending[1:]
        yield term, list(accumulate(map(_read, _STEP.findall(steps))))


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _steps(numbers: Sequence[int]) -> Iterator[int]:
    before = 0
    for number in numbers:
        yield number - before
        before = number


def _letter(value: int) -> str:
    return chr(ord("a") + value)


def _written(number: int) -> str:
    text = _letter(number % _BASE)
    while number := number // _BASE:
        text = _letter(number % _BASE).upper() + text
    return text


def _read(text: str) -> int:
    number = 0
    for letter in text.lower():
        number = _BASE * number + ord(letter) - ord("a")
    return number
