"""Two digests of a case: of what an execution depends on, and of what judges its reports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_MEMORY
from validators.evidence.digests.definitions import definitions_read
from validators.evidence.digests.parts import parts_of
from validators.evidence.digests.program import Program, program_of
from validators.files import ROOT

REPORT = "validators/probes/report.py"
"""The type of reports; only the definitions that a proof reads count."""


def digest_of(
    case: Case,
    places: Iterable[str],
    catalog_root: Path,
    programs: dict[str, Program] | None = None,
) -> str:
    """The present digest of what `case` runs; its arms loaded the modules at `places`.

    It covers what an execution depends on: the needs and all code that the arms ran. It leaves out
    prose and the claim: running the same program again says nothing about another wording. It
    leaves out `timeout`, which can only cause an error, and an error is never current. It covers
    `memory`, since an allocation beyond it fails.

    `programs` holds the modules that were read before, by place; modules read now are added.
    """
    meta = case.meta
    known = {} if programs is None else programs
    proof = place_of(case.proof, catalog_root)

    def hash_of(place: str) -> str:
        if place == proof:
            return arms.hash
        if place not in known:
            known[place] = program_of(resolve(place, catalog_root))
        return known[place].hash

    arms = parts_of(case.proof).arms
    hashes = {place: hash_of(place) for place in places}
    read = definitions_read(ROOT / REPORT, arms.attributes)
    parts = [meta.needs, meta.env, meta.always_fresh, meta.exclusive, hashes, read]
    if meta.memory != DEFAULT_MEMORY:
        parts.append(meta.memory)
    return _digest(parts)


def judge_of(case: Case) -> str:
    """The present digest of what judges reports: `shows`, and what the page of `case` allows."""
    meta, judge = case.meta, parts_of(case.proof).judge
    read = definitions_read(ROOT / REPORT, judge.attributes)
    allowed = [meta.backend, meta.leaves, sorted(meta.results), bool(meta.uncompiled)]
    return _digest([judge.hash, read, allowed])


def _digest(parts: list[object]) -> str:
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:16]


def place_of(file: Path, catalog_root: Path) -> str:
    """A module's place as records name it: under the catalog or the repository, else its path."""
    if file.is_relative_to(catalog_root):
        return f"catalog/{file.relative_to(catalog_root)}"
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


@cache
def resolve(place: str, catalog_root: Path) -> Path:
    """The file that `place` names."""
    folder, _, rest = place.partition("/")
    return catalog_root / rest if folder == "catalog" else ROOT / place
