"""Which cases belong to which families, and which of their signatures say no more than a family."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from validators.catalog import Case
from validators.errors import CasebookError
from validators.families.family import Family
from validators.families.headers import header_signatures, messages_of
from validators.families.lines import FamilyLines
from validators.families.patterns import class_pattern
from validators.families.sampling import sample_of
from validators.match.data_files import read_data
from validators.match.families import HOLE, IndexedFamily
from validators.match.places import place_of_literal

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
    """The families of a catalog, as its index holds them, and the `headers` among signatures."""

    def __init__(self, playbooks: Path, cases: Sequence[Case], families: Iterable[Family]) -> None:
        """Find the families that each of the `cases`, by their numbers, causes."""
        kept = [it for it in families if it.kind != _PAGELESS and it.key not in _BEGINNINGS]
        judged = load_judged(playbooks, cases, kept)
        members = _members(cases, kept, judged)
        self.indexed = [_indexed(it, sorted(members[it.kind, it.key])) for it in kept]
        by_name: dict[Name, Family] = {(it.kind, it.key): it for it in kept}
        self.headers = {it for its in judged.headers.values() for it in its} | {
            signature
            for name, numbers in members.items()
            for messages in [list(messages_of(by_name[name]))]
            for number in numbers
            for signature in header_signatures(cases[number], messages)
        }


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


def _indexed(family: Family, cases: Sequence[int]) -> IndexedFamily:
    title = _HOLES.sub(HOLE, family.title)
    plain = IndexedFamily(family.kind, family.key, title, tuple(cases))
    patterns = [class_pattern(family.key)] if family.kind == "exception" else family.patterns
    if family.kind == "graph_break" or [it.text for it in plain.patterns] == [*patterns]:
        return plain
    given = tuple((it, *place_of_literal(it)) for it in patterns)
    return IndexedFamily(family.kind, family.key, title, tuple(cases), given)
