"""The families of a repository, with their causes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from validators.corpus.records.record import load_records
from validators.errors import Problem
from validators.families.causes import Cause, Name, causes_of
from validators.families.family import Family
from validators.families.headers import Header, headers
from validators.families.illustrations import (
    Illustration,
    load_guards,
    load_illustrations,
    load_unreachable,
)
from validators.families.moved import Moved, moved_ids
from validators.families.stored import load_families, recorded_releases
from validators.repository import Repository

GRAPH_BREAKS = "https://meta-pytorch.github.io/compile-graph-break-site/"
"""Torch's own site of graph breaks."""
GRAPH_BREAK = f"{GRAPH_BREAKS}gb/{{}}.html"
"""Its page of a graph break, by the id in lower case."""


@dataclass(frozen=True)
class Vocabulary:
    """All recorded families, the causes of those that have some, and the recorded releases.

    `moved` says which ids other releases print at the same places, `unreachable` why no program of
    a user prints some, `guards` what a guard means when it fails. `defects` are those of the
    illustrations that cannot be read.
    """

    families: tuple[Family, ...]
    causes: Mapping[Name, tuple[Cause, ...]]
    moved: Moved
    releases: tuple[str, ...]
    illustrations: tuple[Illustration, ...] = ()
    defects: tuple[Problem, ...] = ()
    unreachable: Mapping[str, str] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> Mapping[Name, Family]:
        """The families by kind and key."""
        return {(it.kind, it.key): it for it in self.families}

    def causes_of(self, family: Family) -> tuple[Cause, ...]:
        """The causes of a family, surest first; none if the catalog does not cover it."""
        return self.causes.get((family.kind, family.key), ())

    def moved_from(self, family: Family) -> Mapping[str, tuple[str, ...]]:
        """The ids that other releases print where this one is printed, with these releases."""
        return self.moved.get(family.key, {}) if family.kind == "graph_break" else {}

    def headers(self) -> Iterator[Header]:
        """The signatures of causes that fit every line of their family."""
        return headers(self.by_name, self.causes)


def vocabulary_of(repository: Repository) -> Vocabulary:
    """The families that are recorded beside a catalog; damaged records of models count as none.

    Raises:
        CasebookError: a file of families is damaged.
        InvalidPage: the list of what no program prints is.
    """
    families = load_families(repository.playbooks)
    illustrations, defects = load_illustrations(repository.playbooks, families)
    causes = causes_of(families, repository, illustrations)
    models, _ = load_records(repository.committed)
    return Vocabulary(
        families=tuple(families),
        causes=causes,
        moved=moved_ids(causes, models.values()),
        releases=recorded_releases(repository.playbooks),
        illustrations=tuple(illustrations),
        defects=tuple(defects),
        unreachable=load_unreachable(repository.playbooks),
        guards=load_guards(repository.playbooks),
    )


def page_of(family: Family) -> str:
    """The address of torch's own page on a graph break; "" for all that has none."""
    has_id = family.kind == "graph_break" and family.key.startswith("GB")
    return GRAPH_BREAK.format(family.key.lower()) if has_id else ""
