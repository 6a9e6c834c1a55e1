"""The second witness: what torch writes to its structured trace.

The trace logger accepts a handler at any time, unlike `TORCH_TRACE`, which is read at import.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from validators.probes.break_hooks import registered_id, telling
from validators.probes.breaks import parse_break
from validators.probes.report import GraphBreak, Recompile
from validators.probes.text import clean

_KEPT = ("dynamo_start", "dynamo_output_graph", "compilation_metrics")
_ARTIFACTS = ("dynamo_graph_break_reason", "recompile_reasons", "dynamo_error")


@dataclass(frozen=True)
class Event:
    """One event of the trace; `attempt` counts Dynamo's restarts of one compilation."""

    name: str
    compile_id: str
    attempt: int
    metadata: Any
    payload: str


class Trace(logging.Handler):
    """Keeps the events that a report is made of, in the order in which they came."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.events: list[Event] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record; called by the logger."""
        metadata: dict[str, Any] = getattr(record, "metadata", {})
        name = next((name for name in _KEPT if name in metadata), "")
        if "artifact" in metadata:
            name = metadata["artifact"]["name"]
        if name not in _KEPT + _ARTIFACTS:
            return
        payload = getattr(record, "payload", None)
        self.events.append(
            Event(
                name=name,
                compile_id=_compile_id(metadata),
                attempt=metadata.get("attempt", 0),
                metadata=metadata.get(name, {}),
                payload="" if payload is None else str(payload),
            )
        )

    def tell(self, compile_id: str, payload: str, skipped_frame: bool) -> None:
        """Add a graph break if the trace names none, and note if its frame was skipped."""
        breaks = [event for event in _named_breaks(self) if event.compile_id == compile_id]
        if not breaks:
            breaks = [Event("dynamo_graph_break_reason", compile_id, 0, {}, payload)]
            self.events += breaks
        if skipped_frame:
            self.events.append(replace(breaks[-1], name="dynamo_error"))

    def named(self, name: str) -> list[Event]:
        """All events of one name."""
        return [event for event in self.events if event.name == name]


@contextmanager
def tracing() -> Iterator[Trace]:
    """Collect structured trace events until the block ends."""
    trace = Trace()
    logger = logging.getLogger("torch.__trace")
    logger.addHandler(trace)
    try:
        with _skips_are_traced(), telling(trace.tell):
            yield trace
    finally:
        logger.removeHandler(trace)


@contextmanager
def _skips_are_traced() -> Iterator[None]:
    """Turn the graph-break log on: Dynamo traces skipped frames only then."""
    logger = logging.getLogger("torch._dynamo.convert_frame.__graph_breaks")
    level, propagate, handlers = logger.level, logger.propagate, logger.handlers
    quiet = not logger.isEnabledFor(logging.DEBUG)
    if quiet:
        logger.setLevel(logging.DEBUG)
        logger.propagate, logger.handlers = False, [logging.NullHandler()]
    try:
        yield
    finally:
        if quiet:
            logger.setLevel(level)
            logger.propagate, logger.handlers = propagate, handlers


def graph_breaks(trace: Trace, libraries: tuple[str, ...]) -> tuple[GraphBreak, ...]:
    """All graph breaks, in order; `skipped_frame` where the compilation failed with the break."""
    errors = {(event.compile_id, event.attempt) for event in trace.named("dynamo_error")}
    events = _breaks(trace)
    last = {(event.compile_id, event.attempt): event for event in events}
    found = [
        parse_break(event.payload, key in errors and last[key] is event, libraries)
        for event in events
        for key in [(event.compile_id, event.attempt)]
    ]
    return tuple(replace(it, id=it.id or registered_id(it.type)) for it in found)


def _breaks(trace: Trace) -> list[Event]:
    """One event per break: a backend's refusal is told twice, first without Dynamo's preamble."""
    named = _named_breaks(trace)
    told = {event.compile_id for event in named}
    events = trace.named("dynamo_graph_break_reason")
    return [event for event in events if event in named or event.compile_id not in told]


def _named_breaks(trace: Trace) -> list[Event]:
    events = trace.named("dynamo_graph_break_reason")
    return [event for event in events if event.payload.startswith("Graph break")]


def recompiles(trace: Trace) -> tuple[Recompile, ...]:
    """The recompilations that were begun; the attempt refused at the limit is not among them."""
    started = {event.compile_id: event for event in trace.named("dynamo_start")}
    return tuple(
        Recompile(event.compile_id, _function(started[event.compile_id]), _reasons(event.payload))
        for event in trace.named("recompile_reasons")
        if event.compile_id in started
    )


def recompile_limit_hit(trace: Trace) -> bool:
    """Whether Dynamo refused to compile one more variant."""
    started = {event.compile_id for event in trace.named("dynamo_start")}
    refused = any(event.compile_id not in started for event in trace.named("recompile_reasons"))
    return refused or any(
        "Dynamo recompile limit exceeded" in event.payload
        for event in trace.named("dynamo_graph_break_reason")
    )


def compile_times(trace: Trace) -> list[float]:
    """Seconds of each compilation that was begun, backend included."""
    key = "entire_frame_compile_time_s"
    metrics = [event.metadata for event in trace.named("compilation_metrics")]
    return [float(item[key]) for item in metrics if item.get(key) is not None]


def _compile_id(metadata: dict[str, Any]) -> str:
    """The id in Dynamo's own notation, "frame/variant"; "" outside a compilation."""
    if "frame_id" not in metadata:
        return ""
    autograd = metadata.get("compiled_autograd_id")
    prefix = "" if autograd is None else f"!{autograd}/"
    return f"{prefix}{metadata['frame_id']}/{metadata.get('frame_compile_id', 0)}"


def _function(start: Event) -> str:
    stack = start.metadata.get("stack") or [{}]
    return str(stack[-1].get("name", ""))


def _reasons(payload: str) -> tuple[str, ...]:
    """The failed guards; a payload is a JSON list of strings, or a single reason as plain text."""
    try:
        texts = json.loads(payload)
    except ValueError:
        texts = payload
    if isinstance(texts, str):
        texts = [texts]
    return tuple(" ".join(clean(text.partition("\nUser stack")[0]).split()) for text in texts)
