"""Variants of one target timed by turns, after a warm-up."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from validators.probes.arguments import Arguments
from validators.probes.differences import copied
from validators.worker.measuring import graphs_compiled
from validators.worker.target import Target, compiled, copies
from validators.worker.user_code import sentence

Found = dict[str, Any]
Runs = dict[str, Callable[..., Any]]
Variants = dict[str, dict[str, Any] | None]
"""The options of `torch.compile` of each variant; None: it runs eagerly."""
FIRST_CALL = "the first call"

_WARM_UPS = 3
_SECONDS = 4
"""How long turns are taken, if the number of turns is not given."""
_TURNS = 5
"""How many turns are taken at least."""


class Withheld(Exception):
    """There are no seconds to compare; the message is why."""


class _Raised(Withheld):
    """A call raised, which may be because it was made before."""


def runs_of(target: Target, options: Variants) -> Runs:
    """A copy of the target for each name in `options`, compiled with these."""
    made: Runs = {}
    for name, given in options.items():
        run = copied(target.run)
        made[name] = run if given is None else compiled(run, given)
    return made


def by_turns(target: Target, options: Variants, runs: Runs, steps: int) -> Found:
    """The "seconds" of the first call of each of `runs`, and their "medians".

    `steps` is the number of turns; 0 takes turns for some seconds. If the first call cannot be
    repeated, a turn makes all calls on a target made anew, with these `options` of `runs`. "timed"
    says what a turn did.

    Raises:
        Withheld: a call raises, or compiled code compiles again while it is timed.
    """
    try:
        return {"timed": FIRST_CALL, **_first_call(runs, target.calls[0], steps)}
    except _Raised:
        return {"timed": "all calls on a target made anew", **_all_calls(target, options, steps)}


def _first_call(runs: Runs, item: Arguments, steps: int) -> Found:
    def turn(run: Callable[..., Any]) -> float:
        return seconds(lambda: run(*item.args, **item.kwargs), "the first call, repeated,")

    return measured({name: lambda it=it: turn(it) for name, it in runs.items()}, steps)  # type: ignore[misc]


def _all_calls(target: Target, options: Variants, steps: int) -> Found:
    def turn(given: dict[str, Any] | None) -> float:
        fresh = target.again()
        run = fresh.run if given is None else compiled(fresh.run, given)
        calls = copies(fresh)

        def all_calls() -> None:
            for item in calls:
                run(*item.args, **item.kwargs)

        return seconds(all_calls, "a call of a target made anew")

    return measured({name: lambda it=it: turn(it) for name, it in options.items()}, steps)  # type: ignore[misc]


def measured(turns: dict[str, Callable[[], float]], steps: int) -> Found:
    """The "seconds" and "medians" of some turns, one of them named "again", after a warm-up.

    Raises:
        Withheld: a turn raises, or compiled code compiles again while it is timed.
    """
    for turn in turns.values():
        for _ in range(_WARM_UPS):
            turn()
    graphs = graphs_compiled()
    taken: dict[str, list[float]] = {name: [] for name in turns}
    end = time.perf_counter() + _SECONDS
    while len(taken["again"]) < (steps or _TURNS) or (not steps and time.perf_counter() < end):
        for name, turn in turns.items():
            taken[name].append(turn())
    if graphs_compiled() > graphs:
        raise Withheld("code compiles again while it is timed, so it has no steady state")
    medians = {name: statistics.median(values) for name, values in taken.items()}
    return {"seconds": taken, "medians": medians}


def seconds(run: Callable[[], Any], what: str) -> float:
    """How long a call takes; `what` names it.

    Raises:
        Withheld: it raises.
    """
    begun = time.perf_counter()
    try:
        run()
    except Exception as error:
        raise _Raised(f"{what} raises {sentence(error)}") from error
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter() - begun
