"""Which cases belong to which families, and which of their signatures say no more than a family."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from validators.catalog import Case
from validators.errors import CasebookError
from validators.families.family import Family
from validators.families.headers import header_signatures, messages_of
from validators.families.lines import FamilyLines
from validators.families.patterns import class_pattern
from validators.families.sampling import sample_of
from validators.match.families import HOLE, FamilyFacts, IndexedFamily, own_pattern
from validators.match.making.data_files import read_data
from validators.match.making.places import place_of_literal

FILE = "match_headers.yaml"
"""Beside the catalog."""
Name = tuple[str, str]
"""The kind and the key of a family."""
_HOLES = re.compile(r"\{[^{}]*\}+")
_PAGELESS = "warning"
_BEGINNINGS = ("recompiling-function",)
"""Such a line only begins a message, which names its family further down."""


class Judged(Struct, frozen=True, forbid_unknown_fields=True):
    """What people know of lines that several causes print, and no reader of torch can tell.

    `headers` are signatures by case, each with the reason. `members` are further cases of families,
    by kind and key.
    """

    headers: dict[str, dict[str, str]] = {}
    members: dict[str, dict[str, list[str]]] = {}


def load_judged(playbooks: Path, cases: Sequence[Case], families: Sequence[Family]) -> Judged:
    """The file beside the catalog; nothing without it, or where no families are recorded.

    Raises:
        CasebookError: it cannot be read, or names a signature, case or family that is not there.
    """
    file = playbooks / FILE
    judged = read_data(file, Judged, Judged(), "headers", "correct it")
    if not families:
        return Judged()
    signatures = {it.name: it.meta.signatures for it in cases}
    keys = {(it.kind, it.key) for it in families}
    unknown = [
        f"{case} has no signature {it!r}"
        for case, its in judged.headers.items()
        for it in its
        if it not in signatures.get(case, ())
    ]
    for kind, its in judged.members.items():
        unknown += [f"no family is {kind} {key}" for key in its if (kind, key) not in keys]
        named = (name for names in its.values() for name in names)
        unknown += [f"no case is {name}" for name in named if name not in signatures]
    if unknown:
        raise CasebookError(f"{file}: {unknown[0]}; correct or remove it")
    return judged


class Families:
    """The families of a catalog, as its index holds them.

    What only logs need is found when it is first asked for: `headers`, which are signatures, and
    the `members` of each family, by name.
    """

    def __init__(self, playbooks: Path, cases: Sequence[Case], families: Iterable[Family]) -> None:
        """Take the families that the `cases`, by their numbers, may cause."""
        self._kept = [it for it in families if it.kind != _PAGELESS and it.key not in _BEGINNINGS]
        self._cases = cases
        self._judged = load_judged(playbooks, cases, self._kept)
        self.indexed = [self._indexed(it) for it in self._kept]

    @cached_property
    def members(self) -> dict[Name, set[int]]:
        """The cases of each family that has some."""
        return _members(self._cases, self._kept, self._judged)

    @cached_property
    def headers(self) -> set[str]:
        """The signatures that fit every line of a family."""
        by_name: dict[Name, Family] = {(it.kind, it.key): it for it in self._kept}
        return {it for its in self._judged.headers.values() for it in its} | {
            signature
            for name, numbers in self.members.items()
            for messages in [list(messages_of(by_name[name]))]
            for number in numbers
            for signature in header_signatures(self._cases[number], messages)
        }

    def _indexed(self, family: Family) -> IndexedFamily:
        title = _HOLES.sub(HOLE, family.title)
        return IndexedFamily(family.kind, family.key, title, lambda: self._facts_of(family, title))

    def _facts_of(self, family: Family, title: str) -> FamilyFacts:
        cases = sorted(self.members.get((family.kind, family.key), ()))
        own = class_pattern(family.key) if family.kind == "exception" else ""
        if family.kind == "graph_break" or (
            own and own == own_pattern(family.kind, family.key, title).text
        ):
            return FamilyFacts(cases)
        patterns = [own] if own else family.patterns
        return FamilyFacts(cases, [(it, *place_of_literal(it)) for it in patterns])


def _members(
    cases: Sequence[Case], families: Sequence[Family], judged: Judged
) -> dict[Name, set[int]]:
    """The cases of each family: by the break that a page names, by signatures, by judgement."""
    by_name: dict[Name, Family] = {(it.kind, it.key): it for it in families}
    numbers = {it.name: number for number, it in enumerate(cases)}
    members: dict[Name, set[int]] = defaultdict(set)
    lines = FamilyLines(families)
    for number, case in enumerate(cases):
        found = [it for pattern in case.meta.signatures for it in lines.of(sample_of(pattern))]
        if case.meta.graph_break:
            declared = by_name.get(("graph_break", case.meta.graph_break.id))
            keys = (declared.key, *declared.same) if declared else ()
            found += [by_name["graph_break", key] for key in keys]
        for family in found:
            members[family.kind, family.key].add(number)
    for kind, its in judged.members.items():
        for key, names in its.items():
            members[kind, key] |= {numbers[it] for it in names}
    return members
