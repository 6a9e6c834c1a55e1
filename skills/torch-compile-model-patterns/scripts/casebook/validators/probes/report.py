"""What the probes saw while one arm ran.

Reports travel as JSON from the process that ran an arm to the process that judges it, so every
field is plain data. This module needs only the standard library of Python 3.10 or newer.
Times are seconds, memory is bytes, errors are absolute differences unless a name says otherwise.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from dataclasses import dataclass, field
from typing import Any

Scalar = bool | int | float | str | None
Fact = Scalar | list[Scalar] | dict[str, Scalar]


@dataclass(frozen=True)
class GraphInput:
    """One tensor input of a graph; `shape` holds ints, and symbol names where a dim is dynamic."""

    name: str
    shape: tuple[int | str, ...]
    dtype: str


@dataclass(frozen=True)
class Graph:
    """One graph that a backend was given.

    `compile_id` is Dynamo's `frame/variant` id. `ops` counts its call nodes; `targets` counts them
    by op. `executions` says how often it ran over all calls, `file` and `line` where the user's
    code has its first op ("" and 0 if torch keeps no stack, as for a bare `torch.nn` module).
    """

    compile_id: str
    ops: int
    targets: dict[str, int]
    inputs: tuple[GraphInput, ...]
    symbols: tuple[str, ...]
    executions: int
    file: str
    line: int


@dataclass(frozen=True)
class GraphBreak:
    """One graph break, or one frame that Dynamo gave up on (`skipped_frame`).

    `id` is the registry's id such as "GB0170" ("" if the message has none), `cause_id` the first
    id of a chain. `type` is the registry's Gb_type, or the first line of a message that is not
    from the registry. `file` has no directory.
    """

    id: str
    cause_id: str
    type: str
    reason: str
    file: str
    line: int
    skipped_frame: bool


@dataclass(frozen=True)
class Recompile:
    """One recompilation: `compile_id` of the new variant and the guards that failed."""

    compile_id: str
    function: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class MutatedInput:
    """An input that a graph execution changed in place (its version counter moved)."""

    graph: int
    name: str
    call: int


@dataclass(frozen=True)
class Difference:
    """How far a call's outputs (or gradients) are from a reference run's.

    The `float64` pair compares both runs with one in float64: fused low-precision code may differ
    from eager and still be more accurate. None if the arm did not ask for that reference.
    """

    eager: float | None = None
    compiled_float64: float | None = None
    eager_float64: float | None = None
    gradients_eager: float | None = None


@dataclass(frozen=True)
class Call:
    """One call of the compiled function.

    `compiled` counts the graphs compiled during it, `executions` the compiled graphs that ran and
    hold ops. No execution means that the call ran eagerly. `difference` is None where nothing was
    compared.
    """

    compiled: int
    executions: int
    difference: Difference | None = None


@dataclass(frozen=True)
class Cudagraphs:
    """CUDA graph activity: why graphs were skipped, how many were recorded and replayed."""

    skips: tuple[str, ...]
    recordings: int
    replays: int
    overwritten_outputs: int


@dataclass(frozen=True)
class Caught:
    """An exception that left a call: its type's qualified name and its message.

    `break_id` is the registry's id if the exception is a graph break that was made an error
    (by `fullgraph=True`, for one), else "".
    """

    type: str
    message: str
    call: int
    break_id: str = ""


@dataclass(frozen=True)
class Cache:
    """Hits and misses of Inductor's FX graph cache and AOTAutograd's cache."""

    fx_hits: int
    fx_misses: int
    aot_hits: int
    aot_misses: int


@dataclass(frozen=True)
class Report:
    """Everything the probes saw while one arm ran; only probes build one.

    `eager` says that the arm does not mean to compile; otherwise every call must have executed a
    compiled graph. `ops` is the sum over `graphs`. `facts` holds what a fact probe read (an API's
    place, a configuration's value). `times` and `memory` vary between runs. `backward_executions`
    counts the backward graphs of AOTAutograd that ran. `observation` says which `observe` of its
    process made the report, counting from 0; None if none did.
    """

    eager: bool = False
    calls: tuple[Call, ...] = ()
    graphs: tuple[Graph, ...] = ()
    ops: int = 0
    graph_breaks: tuple[GraphBreak, ...] = ()
    recompiles: tuple[Recompile, ...] = ()
    recompile_limit_hit: bool = False
    mutated_inputs: tuple[MutatedInput, ...] = ()
    cudagraphs: Cudagraphs | None = None
    cache: Cache | None = None
    exception: Caught | None = None
    backward_executions: int = 0
    observation: int | None = None
    facts: dict[str, Fact] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)

    @property
    def break_ids(self) -> tuple[str, ...]:
        """The ids of all graph breaks, causes included, in the order in which they occurred."""
        ids = (id_ for b in self.graph_breaks for id_ in (b.cause_id, b.id) if id_)
        return tuple(dict.fromkeys(ids))

    @property
    def eager_calls(self) -> tuple[int, ...]:
        """Indices of the calls during which no compiled graph ran."""
        return tuple(i for i, call in enumerate(self.calls) if call.executions == 0)

    @property
    def executions(self) -> tuple[int, ...]:
        """How many compiled graphs ran during each call."""
        return tuple(call.executions for call in self.calls)

    @property
    def compiled(self) -> tuple[int, ...]:
        """How many graphs were compiled during each call."""
        return tuple(call.compiled for call in self.calls)

    @property
    def worst_difference(self) -> float:
        """The largest difference from eager in any call, of outputs and gradients alike.

        Raises ValueError if nothing was compared with eager: no proof may pass for that reason.
        """
        differences = [call.difference for call in self.calls if call.difference is not None]
        pairs = ((it.eager, it.gradients_eager) for it in differences)
        found = [value for pair in pairs for value in pair if value is not None]
        if not found:
            raise ValueError('Nothing was compared; give `observe` compare=("eager",).')
        return max(found)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON-compatible data; `from_json` reads it back equal.

        JSON has no number for NaN and the infinities: they travel as "nan", "inf" and "-inf".
        """
        data: dict[str, Any] = _finite(dataclasses.asdict(self))
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Report:
        """Rebuild a report; raises TypeError or KeyError where `data` is not one."""
        report = _build(cls, _numbers(data))
        assert isinstance(report, cls)
        return report


_NOT_FINITE = ("nan", "inf", "-inf")


def _finite(value: Any) -> Any:
    """`value` with the name of each float that JSON lacks in its place."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_finite(item) for item in value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _numbers(value: Any) -> Any:
    """`value` with the float in place of each such name."""
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return float(value) if isinstance(value, str) and value in _NOT_FINITE else value


def _build(kind: Any, value: Any) -> Any:
    """`value`, read from JSON, as `kind` (a dataclass, tuple, optional or plain type)."""
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return kind(**{name: _build(hints[name], item) for name, item in value.items()})  # type: ignore[operator]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return tuple(_build(arguments[0], item) for item in value)
    if origin in (typing.Union, types.UnionType) and value is not None:
        classes = [item for item in arguments if dataclasses.is_dataclass(item)]
        return _build(classes[0], value) if classes else value
    return value
