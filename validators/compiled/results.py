"""What `kernels` tells of one target, and of the difference between two."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["clock", "value", "memory", "replay"]


class Configuration(Struct, kw_only=True, frozen=True):
    """One binary of a kernel, as ptxas made it.

    Registers are per thread. `spills` counts words of 4 bytes that did not fit into registers.
    `shared` is the shared memory of a block, in bytes.
    """

    warps: int
    registers: int
    spills: int
    shared: int


class Kernel(Struct, kw_only=True):
    """A kernel that a compiled graph launches; of several configurations, a clock chooses one."""

    name: str
    launches: int
    configurations: list[Configuration]
    source: str


class CompiledGraph(Struct, kw_only=True):
    """One graph that Inductor compiled.

    `kind` is "inference", "forward" or "backward". `externs` are library calls, in order.
    `partitions` counts the parts that CUDA graphs record one by one, 0 if there is only one.
    `peak` is the most memory, in bytes, that Inductor plans to use; null if it plans none.
    """

    kind: str
    kernels: list[Kernel]
    externs: list[str]
    partitions: int
    peak: int | None


class TracedGraph(Struct, kw_only=True):
    """A graph that Dynamo made, and where its first op stands."""

    ops: int
    file: str
    line: int


class Break(Struct, kw_only=True):
    """A graph break."""

    type: str
    reason: str


class Recordable(Struct, kw_only=True):
    """A graph that torch hands to CUDA graphs; `skipped` is the reason why it is not recorded."""

    mode: str
    inputs: int
    static: int
    mutated: int
    skipped: str


class Invention(Struct, kw_only=True):
    """Something that only a GPU could have answered, and how often it was asked for."""

    kind: Kind
    what: str
    count: int


class Raised(Struct, kw_only=True):
    """The exception that ended the calls."""

    type: str
    message: str
    call: int
    break_id: str


class Compiled(Struct, kw_only=True):
    """What a target was compiled to for `arch`, of which `board` is an example.

    Nothing of it ran. `undecided` says what a compiler alone does not decide, and why.
    """

    target: str
    torch: str
    arch: str
    board: str
    calls: int
    trains: bool
    graphs: list[TracedGraph]
    breaks: list[Break]
    compiled: list[CompiledGraph]
    skips: dict[str, int]
    recordable: list[Recordable]
    invented: list[Invention]
    raised: Raised | None
    undecided: list[str] = []


class Change(Struct, kw_only=True):
    """One thing that differs between the target and the other one."""

    what: str
    target: str
    against: str


class KernelsOutput(Struct, kw_only=True):
    """`kernels --json`: the target, and with `--against` the other one and what differs."""

    target: Compiled
    against: Compiled | None = None
    changes: list[Change] = []
