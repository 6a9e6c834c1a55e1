"""Which graph breaks are one break on two releases: the same line of a program, under two ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

from validators.corpus.records.record import ModelRecord
from validators.families.causes import Cause, Name
from validators.families.family import in_order
from validators.versions import public_version

Moved = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By id, the other ids under which the same breaks are printed, and the releases that do."""


def moved_ids(causes: Mapping[Name, Iterable[Cause]], models: Iterable[ModelRecord]) -> Moved:
    """The ids that other releases print at the same place of an example, or of a real model.

    Only places count at which each of two releases prints a single id.
    """
    seen: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for place in (*_of_examples(causes), *_of_models(models)):
        alone = {release: next(iter(ids)) for release, ids in place.items() if len(ids) == 1}
        for (_, one), (release, other) in permutations(alone.items(), 2):
            if one != other:
                seen[one][other].add(release)
    return {
        key: {other: in_order(releases) for other, releases in sorted(others.items())}
        for key, others in sorted(seen.items())
    }


_Ids = dict[str, set[str]]
"""The ids that are printed at one place, by release."""


def _of_examples(causes: Mapping[Name, Iterable[Cause]]) -> Iterator[_Ids]:
    """An example is one place: it shows one break."""
    found: dict[str, _Ids] = defaultdict(lambda: defaultdict(set))
    for (kind, key), those in causes.items():
        for cause in those if kind == "graph_break" else ():
            for release in cause.releases:
                found[cause.case.name][release].add(key)
    yield from found.values()


def _of_models(models: Iterable[ModelRecord]) -> Iterator[_Ids]:
    found: dict[tuple[str, str, int], _Ids] = defaultdict(lambda: defaultdict(set))
    for record in models:
        release = public_version(record.torch)
        for it in record.breaks.get("breaks", ()):
            inner = next(iter(it.get("places", ())), None)
            if inner and it.get("id"):
                place = (record.model, inner["file"], inner["line"])
                found[place][release].add(it["id"])
    yield from found.values()
