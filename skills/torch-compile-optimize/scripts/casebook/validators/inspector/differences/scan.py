"""The part `scan`: what is silently wrong in compiled code, and the fewest ops that show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from validators.inspector.differences.chains import Range, chain_name, ranges
from validators.inspector.differences.comparison import compared
from validators.inspector.differences.likeness import alike, code_run
from validators.inspector.differences.trials import Late, Trials
from validators.inspector.differences.window import Window, caused, smallest
from validators.inspector.loading import as_called
from validators.inspector.loading.target import Target, compiled, for_backend
from validators.inspector.values.distances import first_wrong, is_wrong
from validators.probes.switches import force_eager

Found = dict[str, Any]

_MOST_LIKE = 3


class _Trials(Trials):
    """Says what of the first wrong call differs."""

    def first(self, backend: Window | str) -> Found:
        """How the calls compare: "differs" is what of the first wrong one does, {} if none is.

        "raised" is what compiling raised, if anything.

        Raises:
            Late: no time is left.
        """
        try:
            done = self.compared(backend)
        except Late:
            raise
        except Exception as error:
            # Eager mode raises for copies of the calls.
            raised = {"type": type(error).__qualname__, "message": str(error), "call": 0}
            return {"differs": {}, "raised": raised}
        return {"differs": first_wrong(done["differences"]), "raised": done["raised"]}

    def differ(self, numbers: Sequence[int]) -> Found:
        """What of the first wrong call differs if only these ops are compiled, {} if none is wrong.

        Raises:
            Late: no time is left.
        """

        def differs(window: Window) -> Found:
            found: Found = self.first(window)["differs"]
            return found

        return caused(differs, Window("inductor", ranges(numbers))) or {}


def scan(target: Target, options: Found, shaping: Found) -> Found:
    """What is silently wrong in the compiled calls.

    `shaping["programs"]` is the code of known errors by name, those of Dynamo's under "traced" and
    all others under "compiled"; `shaping["seconds"]` is the time limit.

    - "ops" counts what Dynamo traces.
    - "traced" is the difference that is there with backend `eager`; nothing else is tried then.
    - "chains" has the shortest runs of ops that are wrong where only they are compiled, each with
      its difference and the "stack" of its last op.
    - "whole" is the difference that is there if no part of the ops is wrong by itself.
    - "like" are the programs that the code is most like, of a difference without ops.
    - "unsteady" says that eager mode does not repeat itself: nothing can be compared then.
    - "raised" is what compiling raised, and "late" says that time ended before all was tried.
    """
    trials = _Trials(target, options, shaping["seconds"])
    traced = Window("eager")
    found: Found = {"ops": 0, "traced": {}, "whole": {}, "like": [], "chains": []}
    found |= {"unsteady": False, "raised": None, "late": False}
    try:
        first = trials.first(traced)
        found.update(ops=len(traced.ops), raised=first["raised"])
        differs = first["differs"] or _differs_as_called(target, options)
        if differs and _unsteady(target, bool(first["differs"])):
            found["unsteady"] = True
        elif differs:
            found["traced"] = differs
        else:
            _compile_all(traced, trials, found)
    except Late:
        found["late"] = True
    for kind, without in (("traced", found["traced"]), ("compiled", found["whole"])):
        if without:
            code = code_run(lambda: _called(target.again()))
            found["like"] = alike(code, shaping["programs"][kind])[:_MOST_LIKE]
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


def _compile_all(traced: Window, trials: _Trials, found: Found) -> None:
    """Compile all ops, and find the shortest runs that are wrong by themselves."""
    whole = trials.first("inductor")
    found["raised"] = found["raised"] or whole["raised"]
    if not whole["differs"]:
        return
    names = [chain_name(called) for called, _ in traced.ops]
    left = [*range(len(names))]
    try:
        while shortest := _shortest(left, trials):
            run, differs = shortest
            stack = traced.ops[run[-1]][1]
            found["chains"].append({"ops": [names[it] for it in run], "stack": stack, **differs})
            left = [it for it in left if it not in run]
    finally:
        if not found["chains"]:
            found["whole"] = whole["differs"]


def _shortest(numbers: list[int], trials: _Trials) -> tuple[list[int], Found] | None:
    """The shortest run of ops that is wrong if only they are compiled, and what differs then."""
    tried: dict[Range, Found] = {}

    def wrong(first: int, last: int) -> bool:
        tried[first, last] = trials.differ(numbers[first:last])
        return bool(tried[first, last])

    run = smallest(len(numbers), wrong)
    return (numbers[slice(*run)], tried[run]) if run else None
