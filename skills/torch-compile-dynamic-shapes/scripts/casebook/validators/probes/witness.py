"""Where the witnesses must agree, and the exceptions that Dynamo itself makes."""

from __future__ import annotations

from collections import Counter

from validators.probes.backend import Recorder
from validators.probes.trace import Trace


class WitnessError(AssertionError):
    """Two witnesses of one run contradict each other, so neither can be believed."""


def check(recorder: Recorder, trace: Trace) -> None:
    """Raise WitnessError, with one sentence, where backend calls and trace contradict."""
    _check_graphs(recorder, trace)
    _check_recompiles(recorder, trace)


def _check_graphs(recorder: Recorder, trace: Trace) -> None:
    """Each traced graph went to a backend once, unless Dynamo found it empty.

    That includes failed and restarted attempts: both witnesses see them. A graph specialized by
    `specialize_on` goes to the backend more than once, and the recorder counts it once.
    """
    traced = Counter(event.compile_id for event in trace.named("dynamo_output_graph"))
    given = recorder.backend_calls + recorder.empty_graphs
    if traced != given:
        raise WitnessError(
            f"The backend was given {_list(given)} and the trace holds {_list(traced)} "
            "as output graphs (compile id: count); run the arm alone, in a fresh process."
        )


def _check_recompiles(recorder: Recorder, trace: Trace) -> None:
    """Each variant after the first has its reasons in the trace; reasons lead to a variant.

    Legitimate exceptions:
    - reasons without a compilation: Dynamo refused it at the recompile limit, always as the
      last reasons of that frame;
    - a later variant without reasons: nothing valid was cached for these objects (another
      instance, another backend, the first variant was dropped), which Dynamo's own metrics
      confirm by holding no recompile reason;
    - a first variant that never started: `torch.export` and `aot_compile` capture one without.
    """
    reasons = {event.compile_id for event in trace.named("recompile_reasons")}
    begun = {event.compile_id for event in trace.named("dynamo_start")}
    known = {
        event.compile_id
        for event in trace.named("compilation_metrics")
        if event.metadata.get("recompile_reason")
    }
    compiled = {id_ for id_ in recorder.backend_calls if _variant(id_) > 0}
    if compiled - begun:
        raise WitnessError(
            f"The backend compiled {_list(compiled - begun)} and the trace holds no start of it; "
            "run the arm alone, in a fresh process."
        )
    silent = {id_ for id_ in begun & known if _variant(id_) > 0} - reasons
    if silent:
        raise WitnessError(
            f"Dynamo recompiled {_list(silent)} and the trace holds no reasons for it; "
            "run the arm alone, in a fresh process."
        )
    first = {id_ for id_ in reasons if _variant(id_) == 0}
    if first:
        raise WitnessError(
            f"The trace holds recompile reasons for {_list(first)}, a first variant; "
            "run the arm alone, in a fresh process."
        )
    refused = {id_ for id_ in reasons - begun if _followed(id_, begun)}
    if refused:
        raise WitnessError(
            f"The trace holds reasons for {_list(refused)}, which was never compiled although "
            "later variants were; run the arm alone, in a fresh process."
        )


def _variant(compile_id: str) -> int:
    variant = compile_id.rpartition("/")[2]
    return int(variant) if variant.isdigit() else 0


def _followed(compile_id: str, begun: set[str]) -> bool:
    frame = compile_id.rpartition("/")[0]
    return any(
        other.rpartition("/")[0] == frame and _variant(other) > _variant(compile_id)
        for other in begun
    )


def _list(ids: set[str] | Counter[str]) -> str:
    if isinstance(ids, Counter):
        return "{" + ", ".join(f"{id_}: {n}" for id_, n in sorted(ids.items())) + "}"
    return ", ".join(sorted(ids))
