"""Variants of one target timed by turns, after a warm-up."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from validators.inspector.loading.target import Target, compiled, copies
from validators.probes.arguments import Arguments
from validators.probes.differences import copied
from validators.worker.measuring import graphs_compiled
from validators.worker.user_code import sentence

Found = dict[str, Any]
Runs = dict[str, Callable[..., Any]]
Variants = dict[str, dict[str, Any] | None]
"""The options of `torch.compile` of each variant; None: it runs eagerly."""
Turns = dict[str, Callable[[], float]]
"""What takes one turn of each variant, and tells the seconds."""
FIRST_CALL = "the first call"

_WARM_UPS = 3
"""With CUDA graphs, the second call records, and the third one is the first that is warm."""
_SECONDS = 4
"""How long turns are taken, if the number of turns is not given."""
_LONGEST = 8
"""How long the fewest turns that tell anything may take, if their number is not given."""
_TURNS = 5
"""How many turns are taken at least, unless an interval needs more."""


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


def by_turns(
    target: Target, options: Variants, runs: Runs, steps: int, fewest: int = _TURNS
) -> Found:
    """The "seconds" of the first call of each of `runs`, and their "medians".

    `steps` is the number of turns; 0 takes turns for some seconds, at least the `fewest`. If the
    first call cannot be repeated, a turn makes all calls on a target made anew, with these
    `options` of `runs`. "timed" says what a turn did. The rest is as in `measured`.

    Raises:
        Withheld: a call raises, or compiled code compiles again while it is timed.
    """
    try:
        turns = _first_call(runs, target.calls[0])
        return {"timed": FIRST_CALL, **measured(turns, steps, fewest)}
    except _Raised:
        turns = _all_calls(target, options)
        return {"timed": "all calls on a target made anew", **measured(turns, steps, fewest)}


def _first_call(runs: Runs, item: Arguments) -> Turns:
    def turn(run: Callable[..., Any]) -> float:
        return seconds(lambda: run(*item.args, **item.kwargs), "the first call, repeated,")

    return {name: lambda it=it: turn(it) for name, it in runs.items()}  # type: ignore[misc]


def _all_calls(target: Target, options: Variants) -> Turns:
    def turn(given: dict[str, Any] | None) -> float:
        fresh = target.again()
        run = fresh.run if given is None else compiled(fresh.run, given)
        calls = copies(fresh)

        def all_calls() -> None:
            for item in calls:
                run(*item.args, **item.kwargs)

        return seconds(all_calls, "a call of a target made anew")

    return {name: lambda it=it: turn(it) for name, it in options.items()}  # type: ignore[misc]


def measured(turns: Turns, steps: int, fewest: int = _TURNS) -> Found:
    """The "seconds" and "medians" of some turns, one of them named "again", after a warm-up.

    "withheld" says why there are none if more turns than the usual ones would take too long, else
    it is "".

    Raises:
        Withheld: a turn raises, or compiled code compiles again while it is timed.
    """
    last = sum(map(_warmed_up, turns.values()))
    if not steps and fewest > _TURNS and fewest * last > _LONGEST:
        said = f"an interval needs {fewest} turns, and each takes {last:.1f} s"
        return {"withheld": f"{said}; --steps {fewest} takes them"}
    graphs = graphs_compiled()
    taken: dict[str, list[float]] = {name: [] for name in turns}
    end = time.perf_counter() + _SECONDS
    while len(taken["again"]) < (steps or fewest) or (not steps and time.perf_counter() < end):
        for name, turn in turns.items():
            taken[name].append(turn())
    if graphs_compiled() > graphs:
        raise Withheld("code compiles again while it is timed, so it has no steady state")
    medians = {name: statistics.median(values) for name, values in taken.items()}
    return {"withheld": "", "seconds": taken, "medians": medians}


def _warmed_up(turn: Callable[[], float]) -> float:
    """The seconds of the last of some turns. On a CPU, one that compiles nothing is warm."""
    for _ in range(_WARM_UPS):
        graphs = graphs_compiled()
        last = turn()
        if graphs_compiled() == graphs and not torch.cuda.is_initialized():
            break
    return last


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
