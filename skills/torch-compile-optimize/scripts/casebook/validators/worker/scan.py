"""The part `scan`: where compiled code is silently wrong, of the chains known to compile wrongly.

Nothing is said of a chain by its look: only these ops are compiled, the rest of the model runs as
it is, and the result differs from eager mode's by more than rounding.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from validators.probes.switches import force_eager
from validators.worker import as_called
from validators.worker.chains import chain_name, merged, places
from validators.worker.comparison import compared
from validators.worker.distances import is_wrong
from validators.worker.likeness import alike, code_run
from validators.worker.target import Target, compiled, for_backend
from validators.worker.window import Range, Window, smallest

Found = dict[str, Any]

_SHARE = 0.8
"""The part of the time limit that trials may begin in."""
_MOST_LIKE = 3


class _Late(Exception):
    """No time is left for another trial."""


class _Trials:
    """Compiles ranges of a target's ops, and compares its calls with eager mode's."""

    def __init__(self, target: Target, options: Found, seconds: float) -> None:
        self._target, self._options = target, options
        self._end = time.monotonic() + _SHARE * seconds

    def compared(self, window: Window) -> Found:
        """How the calls compare: "differs" is what of the first wrong one does, {} if none is.

        "raised" is what compiling raised, if anything.

        Raises:
            _Late: no time is left.
        """
        if time.monotonic() > self._end:
            raise _Late
        options = for_backend(window, self._options)

        def compile_one(target: Target) -> Callable[..., Any]:
            return compiled(target.run, options)

        try:
            done = compared(self._target.again(), compile_one, gradients=True)
        except Exception as error:
            # Eager mode raises for copies of the calls.
            raised = {"type": type(error).__qualname__, "message": str(error), "call": 0}
            return {"differs": {}, "raised": raised}
        wrong = next((it for it in done["differences"] if is_wrong(it)), None)
        differs = (
            {"call": wrong["call"], "part": wrong.get("kind") or wrong["part"]} if wrong else {}
        )
        return {"differs": differs, "raised": done["raised"]}

    def differ(self, window: Window) -> Found:
        """What of the first wrong call differs, {} if none is wrong."""
        found: Found = self.compared(window)["differs"]
        return found


def scan(target: Target, options: Found, shaping: Found) -> Found:
    """Where the compiled calls are silently wrong.

    `shaping["chains"]` are the chains to look for, `shaping["programs"]` the code of what Dynamo
    traces wrongly by name, and `shaping["seconds"]` the time limit.

    - "ops" counts what Dynamo traces.
    - "traced" is the difference that is there with backend `eager`, and "like" the programs that
      the code is most like then; nothing else is tried.
    - "chains" has the shortest runs of ops that are wrong where only they are compiled, each with
      the "stack" of its last op and the difference.
    - "unsteady" says that eager mode does not repeat itself: nothing can be compared then.
    - "raised" is what compiling raised, and "late" says that time ended before all was tried.
    """
    trials = _Trials(target, options, shaping["seconds"])
    traced = Window("eager")
    found: Found = {"ops": 0, "traced": {}, "like": [], "chains": []}
    found |= {"unsteady": False, "raised": None, "late": False}
    try:
        first = trials.compared(traced)
        found.update(ops=len(traced.ops), raised=first["raised"])
        differs = first["differs"] or _differs_as_called(target, options)
        if differs and _unsteady(target, bool(first["differs"])):
            found["unsteady"] = True
        elif differs:
            code = code_run(lambda: _called(target.again()))
            found["traced"] = differs
            found["like"] = alike(code, shaping["programs"])[:_MOST_LIKE]
        else:
            _compile_chains(traced, shaping["chains"], trials, found["chains"])
    except _Late:
        found["late"] = True
    return found


def _differs_as_called(target: Target, options: Found) -> Found:
    """What Dynamo alone makes different, if the calls get the objects that the factory made."""
    chosen = for_backend("eager", options)
    return _difference_as_called(target, lambda it: compiled(it.run, chosen))


def _difference_as_called(target: Target, build: Callable[[Target], Callable[..., Any]]) -> Found:
    torch._dynamo.reset()
    eager, other = target.again(), target.again()
    try:
        with force_eager():
            expected = as_called.computed(eager, eager.run)
        return as_called.difference(as_called.computed(other, build(other)), expected)
    except Exception:
        # What raises is no silent error; the comparison of copies says what.
        return {}


def _unsteady(target: Target, copied: bool) -> bool:
    """Whether the target, not compiled, differs from itself, with `copied` calls or without."""
    if not copied:
        return bool(_difference_as_called(target, lambda it: it.run))
    control = compared(target.again(), lambda it: it.run, gradients=True)
    return any(map(is_wrong, control["differences"]))


def _called(target: Target) -> None:
    for call in target.calls:
        target.run(*call.args, **call.kwargs)


def _compile_chains(
    traced: Window, chains: Sequence[Sequence[str]], trials: _Trials, found: list[Found]
) -> None:
    """Find the shortest wrong runs of ops in all places that have a chain."""
    names = [chain_name(called) for called, _ in traced.ops]
    left = {place for chain in chains for place in places(chain, names)}
    while left and trials.differ(_compiling(left)):
        numbers = [number for first, last in merged([*left]) for number in range(first, last)]

        def only(first: int, last: int, numbers: list[int] = numbers) -> Window:
            return _compiling({(number, number + 1) for number in numbers[first:last]})

        run = smallest(len(numbers), lambda first, last: bool(trials.differ(only(first, last))))
        if run is None:
            break
        chosen = numbers[slice(*run)]
        stack = traced.ops[chosen[-1]][1]
        differs = trials.differ(only(*run))
        found.append({"ops": [names[it] for it in chosen], "stack": stack, **differs})
        left = {it for it in left if not {*range(*it)} & {*chosen}}


def _compiling(ranges: set[Range]) -> Window:
    return Window("inductor", merged([*ranges]))
