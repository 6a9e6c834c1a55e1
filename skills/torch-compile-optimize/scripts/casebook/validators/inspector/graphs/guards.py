"""The part `guards`: what a call costs before any compiled graph runs."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from validators.inspector.loading.target import Target, compiled, copy_of, forward_of, without_mode
from validators.probes import trace
from validators.probes.dispatch import _guards, null_backend
from validators.worker.user_code import sentence

Found = dict[str, Any]

_SAMPLES = 15
_CALLS = 50
"""How many calls without graphs are one sample: each takes some 100 microseconds."""


def guards(target: Target, options: dict[str, Any]) -> Found:
    """How many guards the first call's graphs have, and what they cost beside an eager call.

    The graphs return what they returned the first time, so a call costs only guards, cache lookup
    and the code between graphs: "dispatch". "unguarded" is the same under the stance
    `skip_guard_eval_unsafe`, None where the release has none; if it raises, "refused" says how.
    "eager" is the forward pass in eager mode. All are seconds, of the processor on a CPU, so that
    waiting for it does not count.
    """
    options = {**without_mode(options), "backend": null_backend}
    item = copy_of(target.calls[0])
    eager = forward_of(target.again())
    run = compiled(forward_of(target), options)
    unguarded = _Unguarded(lambda: _per_call(run, item, _CALLS))
    measures: dict[str, Callable[[], float | None]] = {
        "dispatch": lambda: _per_call(run, item, _CALLS),
        "unguarded": unguarded,
        "eager": lambda: _per_call(eager, item, 1),
    }
    with trace.tracing() as events:
        try:
            for _ in range(2):
                run(*item.args, **item.kwargs)
                eager(*item.args, **item.kwargs)
            if not events.named("dynamo_output_graph"):
                return {"withheld": "the first call compiles no graph"}
            samples = _by_turns(measures)
        except Exception as error:
            return {"withheld": f"the first call raises {sentence(error)} when it is repeated"}
    return {
        "withheld": "",
        "guards": _guards(events),
        "compilations": len(events.named("dynamo_start")),
        "samples": samples,
        "refused": unguarded.refused,
        "medians": {
            name: statistics.median(taken) if taken else None for name, taken in samples.items()
        },
    }


def _by_turns(measures: dict[str, Callable[[], float | None]]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(_SAMPLES):
        for name, measure in measures.items():
            if (taken := measure()) is not None:
                samples[name].append(taken)
    return samples


def _per_call(run: Callable[..., Any], item: Any, calls: int) -> float:
    clock = time.perf_counter if torch.cuda.is_initialized() else time.process_time
    begun = clock()
    for _ in range(calls):
        run(*item.args, **item.kwargs)
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return (clock() - begun) / calls


class _Unguarded:
    """Measures calls without guards, as long as they do not raise."""

    def __init__(self, measure: Callable[[], float]) -> None:
        self.measure, self.refused = measure, ""

    def __call__(self) -> float | None:
        """The measure; None if there is none."""
        if self.refused:
            return None
        try:
            return _without_guards(self.measure)
        except Exception as error:
            # Code between graphs may look as if it must be compiled anew.
            self.refused = sentence(error)
            return None


def _without_guards(measure: Callable[[], float]) -> float | None:
    set_stance = getattr(torch.compiler, "set_stance", None)
    if set_stance is None:
        return None
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(set_stance(skip_guard_eval_unsafe=True))
        except TypeError:
            return None
        return measure()
