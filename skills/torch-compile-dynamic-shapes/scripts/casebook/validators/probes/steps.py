"""Variants of a step compared within one process: warm steps in turn, and cold first steps.

Every variant is a callable that builds it: `lambda: (step, arguments)`. So each has a model of its
own, and the GPU memory that it takes can be told apart from that of the others.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import statistics
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import torch

from validators.probes.arguments import Arguments, as_arguments
from validators.probes.audit import auditing
from validators.probes.intervals import bootstrap
from validators.probes.observation import observe
from validators.probes.report import Fact, Report
from validators.probes.timing import event_seconds, wall_seconds
from validators.probes.turns import alone
from validators.probes.witness import WitnessError

Built = tuple[Callable[..., Any], "Sequence[Any] | Arguments"]
Variants = Mapping[str, Callable[[], Built]]
Step = Callable[[], Any]


def compare_steps(
    variants: Variants,
    *,
    eager: Collection[str] = (),
    against: Mapping[str, str] | None = None,
    warmups: int = 3,
    samples: int = 80,
) -> Report:
    """Warm up every variant under observation, then time single steps of them in turn.

    The report is `observe`'s over `warmups` steps of each variant, one variant after the other. It
    also has `times[NAME]`, the seconds of each of `samples` steps (between CUDA events if a GPU is
    in use), and these facts, each a dict from names to numbers:
    - "seconds": the medians;
    - "gain": how many times faster a variant is than the one that `against` names for it; without
      `against`, than the first variant;
    - "gain_low" and "gain_high": the ends of a 95 % interval of that, by a bootstrap over turns;
    - "peak_bytes", if a GPU is in use: what the variant keeps between its steps, the pools of CUDA
      graphs included, and on top what a warm step allocates at its peak;
    - "bytes_of", if a GPU is in use: the ratio of its "peak_bytes" to the other variant's.

    Dynamo finds compiled code by code object, so variants of different sizes find each other's:
    compile those with `dynamic=False`. A report that holds an exception, or is an audit's, has
    no times and none of the facts.

    Raises:
        WitnessError: a variant in `eager` runs a compiled graph, or another one runs none.
    """
    pairs = _pairs(variants, eager, against)
    steps: dict[str, Step] = {}
    resident: dict[str, int] = {}

    def calls() -> Iterator[tuple[str]]:
        for name, build in variants.items():
            before = _kept()
            steps[name] = _step(build)
            yield from [(name,)] * warmups
            resident[name] = _kept() - before

    report = _observed(steps, calls(), eager)
    if report.exception is not None or auditing():
        return report
    times: dict[str, list[float]] = {name: [] for name in variants}
    with alone():
        for _ in range(samples):
            for name, step in steps.items():
                times[name].append(_seconds(step))
        facts = {**_gains(times, pairs), **_bounds(times, pairs)}
        if torch.cuda.is_initialized():
            peaks = {name: resident[name] + _transient(step) for name, step in steps.items()}
            facts["peak_bytes"] = {**peaks}
            facts["bytes_of"] = {name: peaks[name] / peaks[other] for name, other in pairs.items()}
    return _with(report, times, facts)


def compare_first_steps(
    variants: Variants,
    *,
    eager: Collection[str] = (),
    against: Mapping[str, str] | None = None,
    turns: int = 1,
) -> Report:
    """Time the first step of every variant, compilation included, with no cache to find it in.

    All variants first make one step under observation, as in `compare_steps`: otherwise the first
    would be charged for imports and the start of compile workers. After that, in turn, each is
    built again, with Dynamo reset and the caches of Inductor and Triton empty. `times[NAME]` gets
    the seconds until its step is done; building is not timed. The facts "seconds" and "gain" are
    those of `compare_steps`.
    """
    pairs = _pairs(variants, eager, against)
    steps: dict[str, Step] = {}

    def calls() -> Iterator[tuple[str]]:
        for name, build in variants.items():
            steps.clear()
            steps[name] = _step(build)
            yield (name,)

    report = _observed(steps, calls(), eager)
    steps.clear()
    if report.exception is not None or auditing():
        return report
    times: dict[str, list[float]] = {name: [] for name in variants}
    with alone():
        for _ in range(turns):
            for name, build in variants.items():
                with _cold():
                    times[name].append(wall_seconds(_step(build)))
    return _with(report, times, _gains(times, pairs))


def gain_below(report: Report, limit: float, *names: str) -> bool | None:
    """Whether the gain of one of `names` is below `limit`; None if its interval holds the limit.

    Without names, of one of all variants.
    """
    low, high = _ends(report)
    known = names or tuple(high)
    if any(high[name] < limit for name in known):
        return True
    return False if all(low[name] >= limit for name in known) else None


def gain_within(report: Report, limit: float) -> bool | None:
    """Whether no variant is `limit` times faster or slower; None if an interval holds a limit."""
    low, high = _ends(report)
    if any(high[name] < 1 / limit or low[name] > limit for name in low):
        return False
    return True if all(1 / limit < low[name] and high[name] < limit for name in low) else None


def _ends(report: Report) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two ends of the interval of each gain."""
    low, high = report.facts["gain_low"], report.facts["gain_high"]
    assert isinstance(low, dict)
    assert isinstance(high, dict)
    return low, high


def _pairs(
    variants: Variants, eager: Collection[str], against: Mapping[str, str] | None
) -> dict[str, str]:
    """Which variant each is compared to."""
    if len(variants) < 2:
        raise ValueError("Nothing can be compared to fewer than two variants; give two or more.")
    pairs = dict(against or dict.fromkeys(list(variants)[1:], next(iter(variants))))
    if unknown := sorted({*eager, *pairs, *pairs.values()} - variants.keys()):
        raise ValueError(f"There is no variant {unknown[0]!r}; there are {', '.join(variants)}.")
    return pairs


def _step(build: Callable[[], Built]) -> Step:
    step, given = build()
    item = as_arguments(given)
    return lambda: step(*item.args, **item.kwargs)


def _observed(
    steps: Mapping[str, Step], calls: Iterator[tuple[str]], eager: Collection[str]
) -> Report:
    """Observe the calls, each the name of a variant in `steps`; check which ran compiled."""
    made: list[str] = []

    def run(name: str) -> None:
        made.append(name)
        steps[name]()  # a result would stay alive while memory is read

    with contextlib.closing(calls):  # type: ignore[type-var]
        report = observe(run, calls, compile=lambda it: it, eager=bool(eager))
    if report.exception is None and not auditing():
        for name, call in zip(made, report.calls, strict=True):
            if (call.executions == 0) is not (name in eager):
                raise WitnessError(
                    f"The variant {name!r} ran {call.executions} compiled graphs in one of its "
                    "warm-up steps: name in `eager` the variants that run none, and no others."
                )
    return report


def _with(report: Report, times: dict[str, list[float]], facts: dict[str, Fact]) -> Report:
    return dataclasses.replace(
        report, times={**report.times, **times}, facts={**report.facts, **facts}
    )


def _gains(times: Mapping[str, list[float]], pairs: Mapping[str, str]) -> dict[str, Fact]:
    """The median seconds of each variant, and how many times faster it is than its pair."""
    seconds = {name: statistics.median(taken) for name, taken in times.items()}
    gain = {name: seconds[other] / seconds[name] for name, other in pairs.items()}
    return {"seconds": {**seconds}, "gain": {**gain}}


def _bounds(times: Mapping[str, list[float]], pairs: Mapping[str, str]) -> dict[str, Fact]:
    """The ends of a 95 % interval of each gain; both variants of a pair are drawn by turns."""

    def gain(turns: Sequence[tuple[float, float]]) -> float:
        other, own = zip(*turns, strict=True)
        return float(statistics.median(other) / statistics.median(own))

    ends = {
        name: bootstrap(list(zip(times[other], times[name], strict=True)), gain)
        for name, other in pairs.items()
    }
    low, high = ({name: it[end] for name, it in ends.items()} for end in (0, 1))
    return {"gain_low": {**low}, "gain_high": {**high}}


def _seconds(step: Step) -> float:
    """The seconds of one step, by the GPU's clock if a GPU is in use."""
    return event_seconds(step) if torch.cuda.is_initialized() else wall_seconds(step)


def _kept() -> int:
    """Bytes that tensors and CUDA graphs keep on the GPU, the libraries' workspaces left out.

    The pool of a CUDA graph counts whole: what a replay uses there is not counted as allocated.
    Elsewhere allocated bytes count: how many are reserved for them depends on what ran before.
    They differed by 20 % between two equal models.
    """
    if not torch.cuda.is_initialized():
        return 0
    gc.collect()
    torch.cuda.synchronize()
    torch._C._cuda_clearCublasWorkspaces()
    torch.cuda.empty_cache()
    return sum(
        segment["allocated_size"] if segment["segment_pool_id"] == (0, 0) else segment["total_size"]
        for segment in torch.cuda.memory_snapshot()
    )


def _transient(step: Step) -> int:
    """How many allocated bytes the peak of a step is above its beginning."""
    before = int(torch.cuda.memory_allocated())
    torch.cuda.reset_peak_memory_stats()
    step()
    torch.cuda.synchronize()
    return int(torch.cuda.max_memory_allocated()) - before


@contextlib.contextmanager
def _cold() -> Iterator[None]:
    """Dynamo reset, and caches in a new directory that is removed afterwards."""
    from torch._inductor.utils import fresh_cache

    torch._dynamo.reset()
    with fresh_cache():
        yield
