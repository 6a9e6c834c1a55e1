"""What a terminal shows of `kernels`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from validators.compiled.results import (
    Change,
    Compiled,
    CompiledGraph,
    Configuration,
    Kernel,
    Recordable,
)
from validators.diagnose.findings.words import several
from validators.sizes import size
from validators.styled import CODE, DIM, HEADING, Line

_COLUMNS = ("warps", "registers", "spills", "shared")
_WARNING = "yellow"


def lines(found: Compiled, sources: bool) -> Iterator[Line]:
    """Everything about one target; with `sources`, the code of its kernels, too."""
    calls = "1 call" if found.calls == 1 else f"{found.calls} calls"
    kind = "training steps" if found.trains else calls
    yield [(found.target, HEADING), (f" on torch {found.torch}, {kind}", "")]
    yield [(f"compiled for {found.arch} ({found.board}), never run", DIM)]
    yield from _traced(found)
    for number, graph in enumerate(found.compiled, 1):
        yield []
        yield from _graph(number, graph, sources)
    yield []
    yield from _cudagraphs(found)
    yield from _undecided(found)


def _traced(found: Compiled) -> Iterator[Line]:
    for graph in found.graphs:
        place = f", {graph.file}:{graph.line}" if graph.file else ""
        yield [(f"graph of {several(graph.ops, 'op')}{place}", "")]
    for broken in found.breaks:
        yield [("graph break: ", _WARNING), (broken.type, "")]
    if not found.graphs:
        yield [("no graph: nothing was compiled", _WARNING)]


def _graph(number: int, graph: CompiledGraph, sources: bool) -> Iterator[Line]:
    launches = sum(kernel.launches for kernel in graph.kernels)
    parts = [several(launches, "kernel launch", "es"), several(len(graph.externs), "library call")]
    if graph.partitions:
        parts.append(several(graph.partitions, "partition"))
    if graph.peak is not None:
        parts.append(f"planned peak {size(graph.peak)}")
    kind = f" ({graph.kind})" if graph.kind else ""
    yield [(f"compiled graph {number}{kind}", HEADING), (f": {', '.join(parts)}", "")]
    yield from _table(graph.kernels)
    for name, count in Counter(graph.externs).items():
        yield [("  library: ", DIM), (name, CODE), (_times(count), "")]
    for kernel in graph.kernels if sources else ():
        yield []
        yield [(f"  {kernel.name}", HEADING)]
        yield from ([(f"  {line}", "")] for line in kernel.source.splitlines())


def _table(kernels: Sequence[Kernel]) -> Iterator[Line]:
    """A row for each configuration of each kernel, with aligned columns."""
    if not kernels:
        return
    names = [f"{it.name}{_times(it.launches)}" for it in kernels]
    width = max(map(len, names))
    head = "".join(f"{name:>11}" for name in _COLUMNS)
    yield [(f"  {'kernel':<{width}}{head}", DIM)]
    for name, kernel in zip(names, kernels, strict=True):
        for at, used in enumerate(kernel.configurations):
            first = (name, CODE) if at == 0 else ("or", DIM)
            space = " " * (width - len(first[0]))
            yield [("  ", ""), first, (space, ""), *_cells(used)]
        if not kernel.configurations:
            yield [("  ", ""), (name, CODE), ("  no binary was loaded", _WARNING)]


def _cells(used: Configuration) -> Line:
    spills = "bold red" if used.spills else ""
    return [
        (f"{used.warps:>11}{used.registers:>11}", ""),
        (f"{used.spills:>11}", spills),
        (f"{size(used.shared):>11}", ""),
    ]


def _cudagraphs(found: Compiled) -> Iterator[Line]:
    if not found.skips and not found.recordable:
        yield [("CUDA graphs: not asked for (--mode reduce-overhead)", DIM)]
        return
    recorded = [it for it in found.recordable if not it.skipped]
    yield [("CUDA graphs: ", HEADING), (f"{several(len(recorded), 'graph')} to record", "")]
    yield from ([(f"  {_recordable(it)}", "")] for it in recorded)
    for reason, count in found.skips.items():
        yield [("  skipped", _WARNING), (f"{_times(count)}: {' '.join(reason.split())}", "")]


def _recordable(it: Recordable) -> str:
    return f"{it.mode}: {several(it.inputs, 'input')}, {it.static} static, {it.mutated} mutated"


def _undecided(found: Compiled) -> Iterator[Line]:
    if not found.undecided:
        yield [("decided: nothing here rests on an answer that only a GPU has", "green")]
    for sentence in found.undecided:
        yield [("undecided: ", _WARNING), (sentence, "")]


def differences(target: str, against: str, changes: Sequence[Change]) -> Iterator[Line]:
    """A table of what differs between the two."""
    if not changes:
        yield [(f"{target} and {against} are compiled to the same", "green")]
        return
    rows = [("", target, against), *((it.what, it.target, it.against) for it in changes)]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    for number, row in enumerate(rows):
        texts = [f"{text:<{width}}" for text, width in zip(row, widths, strict=True)]
        yield [("  ".join(texts).rstrip(), HEADING if number == 0 else "")]


def _times(count: int) -> str:
    return "" if count == 1 else f" x{count}"
