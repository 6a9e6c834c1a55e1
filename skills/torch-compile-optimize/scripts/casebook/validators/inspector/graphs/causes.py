"""Which of the guards that failed caused a recompilation; reads text, and needs no torch.

For each graph that a function has, torch tells the first guard that the call failed, the graph
that was used last first. Sizes are checked early. So a graph that failed for something else
fitted all sizes, and counts for more than one whose sizes do not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["varies", "zero_one", "fixed", ""]
"""What a size does to a function: "varies" compiles once more and then for all sizes, "zero_one" is
a size of 0 or 1, "fixed" compiles for every size; "" if no size is the cause."""

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_BULLET = "\n    - "
_SIZE = re.compile(
    r"tensor '(?P<tensor>.+)' size mismatch at index (?P<dim>\d+)\. "
    r"expected (?P<expected>\d+), actual (?P<actual>\d+)(?!\. Guard failed on a parameter)"
)
_OF = r"(?P<tensor>[^ ,(]+)\.size\(\)\[(?P<dim>\d+)\]"
_SPECIAL = [
    re.compile(it) for it in (rf"\b2 <= {_OF}(?! <)", rf"\bNe\({_OF}, [01]\)", rf"{_OF} != [01]\b")
]
"""Guards of a graph for all sizes but 0 and 1."""
_LOCAL = re.compile(r"L\['(\w+)'\]")
_START = r"^(?:!?\d+/\d+: )?\s*"
"""Begins a reason, which may have the number of its graph in front."""
_BEFORE_SIZES = re.compile(
    rf"{_START}(?:expected type of "
    r"|tensor '.+' (?:rank|dtype|requires_grad|dispatch key set) mismatch)"
)

_IDENTITY = re.compile(rf"{_START}___check_(?:type|obj)_id\((?P<of>[^\s,()]+), ")
"""A guard on which object it is, or of which class."""
_NUMBER = re.compile(rf"{_START}(?P<name>[\w.\[\]']+) == (?P<value>-?\d[\d.e+-]*)\b")
"""A guard that holds for one value of a number."""


@dataclass(frozen=True)
class Size:
    """A size that did not fit: of which dim of which tensor, as the compiled code names it."""

    tensor: str
    dim: int
    expected: int
    actual: int

    @property
    def where(self) -> tuple[str, int]:
        """The tensor and the dim."""
        return self.tensor, self.dim


def nth_argument(number: int, part: str = "") -> str:
    """An argument without a name, or a part of it, in words; the first one has the number 0."""
    known = number < len(_ORDINALS)
    said = f"the {_ORDINALS[number]} argument" if known else f"argument number {number + 1}"
    return f"{part} of {said}" if part else said


def reasons_in(text: str) -> list[str]:
    """The reasons in a recompilation as `told.recompilation` words it."""
    return text.split(_BULLET)[1:]


def size_in(reason: str) -> Size | None:
    """The size that a reason is about, if it is about one that may vary."""
    if found := _SIZE.search(reason):
        sizes = int(found["expected"]), int(found["actual"])
        return Size(_LOCAL.sub(r"\1", found["tensor"]), int(found["dim"]), *sizes)
    guard = reason.partition("\n")[0].partition("  #")[0]
    for special in _SPECIAL:
        if found := special.search(guard):
            return Size(_LOCAL.sub(r"\1", found["tensor"]), int(found["dim"]), 0, 1)
    return None


def cause_of(reasons: Sequence[str]) -> str:
    """The reason that caused a recompilation, "" if torch told none.

    It is that of the graph used last. But where even a second size got a graph of its own, graphs
    for other sizes tell nothing, and the first one that fits in size does. And what has few values,
    such as whether a tensor requires gradients, causes few recompilations: a number of which two
    values got graphs of their own goes before it. A graph of another object says nothing of this
    one: what a graph of this object failed goes before it.
    """
    first = reasons[0] if reasons else ""
    if identity := _IDENTITY.search(first):
        return _of_a_part(identity["of"], reasons) or first
    if _BEFORE_SIZES.search(first):
        return _counted(reasons) or first
    size = size_in(first)
    if size is None or size.where not in fixed_in(reasons):
        return first
    fitting = (it for it in reasons if not size_in(it) and not _BEFORE_SIZES.search(it))
    return next(fitting, first)


def _of_a_part(name: str, reasons: Sequence[str]) -> str:
    """The first reason about a part of the object `name`, whose own guard had held before it."""
    part = re.compile(rf"{_START}(?:len\()?{re.escape(name)}[.\[]")
    return next(filter(part.search, reasons), "")


def _counted(reasons: Sequence[str]) -> str:
    """The first reason about a number of which several values are told; "" if there is none."""
    values: dict[str, list[str]] = {}
    for it in reasons:
        if number := _NUMBER.search(it.partition("\n")[0]):
            values.setdefault(number["name"], []).append(it)
    told = (its for its in values.values() if len({_NUMBER.search(it)["value"] for it in its}) > 1)  # type: ignore[index]
    return next(told, [""])[0]


def fixed_in(reasons: Sequence[str]) -> set[tuple[str, int]]:
    """The dims for which two sizes beyond 1 have graphs of their own: code fixes their sizes.

    Without that, Dynamo compiles the second size for all sizes.
    """
    expected: dict[tuple[str, int], set[int]] = {}
    for it in filter(None, map(size_in, reasons)):
        if it.expected > 1:
            expected.setdefault(it.where, set()).add(it.expected)
    return {where for where, sizes in expected.items() if len(sizes) > 1}


def kind_of(reasons: Sequence[str], fixed: Iterable[tuple[str, int]] = ()) -> Kind:
    """What a size has to do with a recompilation; `fixed` are dims known to be fixed."""
    size = size_in(cause_of(reasons))
    if size is None:
        return ""
    if size.where in {*fixed, *fixed_in(reasons)}:
        return "fixed"
    same = [it for it in map(size_in, reasons) if it and it.where == size.where]
    special = size.actual < 2 or all(it.expected < 2 for it in same)
    return "zero_one" if special else "varies"
