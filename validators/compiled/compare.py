"""What differs between two targets that were compiled for the same board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from validators.compiled.results import Change, Compiled, Configuration
from validators.sizes import size


def changes(target: Compiled, against: Compiled) -> Iterator[Change]:
    """Counts and sizes that differ, then the library calls and kernels that only one of them has.

    A kernel of which a clock chooses the configuration counts with the least and the most that it
    may take.
    """
    for what, read in _MEASURES.items():
        one, other = read(target), read(against)
        if one != other:
            yield Change(what=what, target=one, against=other)
    for what, names in (("library call", _externs), ("kernel", _launches)):
        yield from _only(what, names(target), names(against))


def _only(what: str, one: Counter[str], other: Counter[str]) -> Iterator[Change]:
    for name in sorted(one.keys() | other.keys()):
        if one[name] != other[name]:
            yield Change(what=f"{what} {name}", target=str(one[name]), against=str(other[name]))


def _externs(found: Compiled) -> Counter[str]:
    return Counter(name for graph in found.compiled for name in graph.externs)


def _launches(found: Compiled) -> Counter[str]:
    launches: Counter[str] = Counter()
    for graph in found.compiled:
        for kernel in graph.kernels:
            launches[kernel.name] += kernel.launches
    return launches


def _most(found: Compiled, read: Callable[[Configuration], int]) -> tuple[int, int]:
    """The most that any kernel takes: with the best and with the worst of its configurations."""
    taken = [
        [read(it) for it in kernel.configurations]
        for graph in found.compiled
        for kernel in graph.kernels
        if kernel.configurations
    ]
    return max(map(min, taken), default=0), max(map(max, taken), default=0)


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"


def _number(read: Callable[[Configuration], int]) -> Callable[[Compiled], str]:
    return lambda found: _range(*map(str, _most(found, read)))


def _shared(found: Compiled) -> str:
    return _range(*map(size, _most(found, lambda it: it.shared)))


def _peak(found: Compiled) -> str:
    peaks = [graph.peak for graph in found.compiled if graph.peak is not None]
    return size(max(peaks)) if peaks else "unknown"


_MEASURES: dict[str, Callable[[Compiled], str]] = {
    "graphs": lambda it: str(len(it.graphs)),
    "graph breaks": lambda it: str(len(it.breaks)),
    "compiled graphs": lambda it: str(len(it.compiled)),
    "partitions": lambda it: str(sum(graph.partitions for graph in it.compiled)),
    "kernel launches": lambda it: str(_launches(it).total()),
    "library calls": lambda it: str(_externs(it).total()),
    "most registers of a thread": _number(lambda it: it.registers),
    "most spilled words of a thread": _number(lambda it: it.spills),
    "most shared memory of a block": _shared,
    "largest planned peak": _peak,
    "CUDA graphs to record": lambda it: str(sum(not row.skipped for row in it.recordable)),
    "CUDA graphs skipped": lambda it: str(sum(it.skips.values())),
}
