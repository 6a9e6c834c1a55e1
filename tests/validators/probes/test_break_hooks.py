"""Breaks that a hook tells of, beside those that the trace holds."""

from __future__ import annotations

import gc
import weakref

import torch

from validators.probes.break_hooks import _partial_graphs, _payload, registered_id
from validators.probes.trace import Event, Trace, graph_breaks

SKIPPED = "Graph break in user code at /a/b/arm.py:3\nGraph Break Reason: Some type\n"
UNNAMED = "WON'T CONVERT f /a/b/arm.py line 1\nTraceback\ntorch._dynamo.exc.Unsupported: op\n"


def _trace(*payloads: str) -> Trace:
    trace = Trace()
    trace.events += [Event("dynamo_graph_break_reason", "0/0", 0, {}, it) for it in payloads]
    return trace


def test_a_silent_trace_holds_what_a_hook_tells() -> None:
    """A told break has its type and place, and says whether its frame was skipped."""
    for skipped in (False, True):
        trace = _trace()
        trace.tell("0/0", SKIPPED, skipped)
        (found,) = graph_breaks(trace, ())
        assert (found.type, found.file, found.line) == ("Some type", "arm.py", 3)
        assert found.skipped_frame is skipped


def test_a_traced_break_is_not_told_again() -> None:
    """The trace's own words stay; that the frame was skipped is added to them."""
    trace = _trace(SKIPPED.replace("Some", "Traced"))
    trace.tell("0/0", SKIPPED, True)
    (found,) = graph_breaks(trace, ())
    assert (found.type, found.skipped_frame) == ("Traced type", True)


def test_an_unnamed_break_is_named_by_a_hook() -> None:
    """A trace that says only what was raised gives way to a hook that knows the break."""
    trace = _trace(UNNAMED)
    assert [found.type for found in graph_breaks(trace, ())] == ["op"]
    trace.tell("0/0", SKIPPED, False)
    assert [found.type for found in graph_breaks(trace, ())] == ["Some type"]


def test_a_break_without_a_place_is_still_a_break() -> None:
    """A hook that has no stack tells of the reason alone."""
    trace = _trace(UNNAMED)
    trace.tell("0/0", _payload("why", []), False)
    (found,) = graph_breaks(trace, ())
    assert (found.type, found.file, found.line) == ("why", "", 0)


def test_an_id_is_looked_up_where_the_message_has_none() -> None:
    """Torch's registry knows the type; a type that it does not know has no id."""
    assert registered_id("Data-dependent branching") == "GB0170"
    assert registered_id("nothing of the kind") == ""
    trace = _trace(SKIPPED.replace("Some type", "Data-dependent branching"))
    assert [found.id for found in graph_breaks(trace, ())] == ["GB0170"]


def test_a_hook_keeps_no_object_of_the_user_alive() -> None:
    """What a traced call holds is freed while the hook still listens."""

    def step(x: torch.Tensor, _held: set[str]) -> torch.Tensor:
        torch._dynamo.graph_break()
        return x + 1

    def run() -> weakref.ref[set[str]]:
        held = _Held()
        torch.compile(step, backend="eager")(torch.ones(2), held)
        return weakref.ref(held)

    with _partial_graphs(lambda *_: None):
        reference = run()
        torch._dynamo.reset()
        gc.collect()
        assert reference() is None


class _Held(set[str]):
    """Something that can be referred to weakly."""
