"""The part `guards`: what a call costs before any compiled graph runs."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from validators.probes import trace
from validators.probes.dispatch import _guards, null_backend
from validators.worker.target import Target, compiled, copy_of, forward_of, without_mode
from validators.worker.user_code import sentence

Found = dict[str, Any]

_SAMPLES = 15
_CALLS = 50
"""How many calls without graphs are one sample: each takes some 100 microseconds."""


def guards(target: Target, options: dict[str, Any]) -> Found:
    """How many guards the first call's graphs have, and what they cost beside an eager call.

    The graphs return what they returned the first time, so a call costs only guards, cache lookup
    and the code between graphs: "dispatch". "unguarded" is the same under the stance
    `skip_guard_eval_unsafe`, None where the release has none. "eager" is the forward pass in eager
    mode. All are seconds, of the processor on a CPU, so that waiting for it does not count.
    """
    options = {**without_mode(options), "backend": null_backend}
    item = copy_of(target.calls[0])
    eager = forward_of(target.again())
    run = compiled(forward_of(target), options)
    measures = {
        "dispatch": lambda: _per_call(run, item, _CALLS),
        "unguarded": lambda: _unguarded(lambda: _per_call(run, item, _CALLS)),
        "eager": lambda: _per_call(eager, item, 1),
    }
    with trace.tracing() as events:
        try:
            for _ in range(2):
                run(*item.args, **item.kwargs)
                eager(*item.args, **item.kwargs)
            samples = _by_turns(measures)
        except Exception as error:
            return {"withheld": f"the first call raises {sentence(error)} when it is repeated"}
    return {
        "withheld": "",
        "guards": _guards(events),
        "compilations": len(events.named("dynamo_start")),
        "samples": samples,
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


def _unguarded(measure: Callable[[], float]) -> float | None:
    set_stance = getattr(torch.compiler, "set_stance", None)
    if set_stance is None:
        return None
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(set_stance(skip_guard_eval_unsafe=True))
        except TypeError:
            return None
        return measure()
