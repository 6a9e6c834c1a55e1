"""Call what a program compiled again, as its users would: often, and with other arguments.

A first process does so without compiling. It says which variations eager mode can make, and saves
what they compute. A second process compiles, makes the same calls and compares.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from validators.inspector.soaking.calls import Compiled, Recorder, with_own_tensors
from validators.inspector.soaking.snapshot import Snapshot
from validators.inspector.soaking.variations import Trial, trials
from validators.inspector.values.answers import (
    NoGradients,
    backward_of,
    random_state,
    same_random_numbers,
)
from validators.inspector.values.rounding import cast
from validators.inspector.values.sums import SEED
from validators.probes import modes, results
from validators.probes.arguments import Arguments
from validators.worker import older_torch
from validators.worker.example import NAME, execute, printing_into
from validators.worker.measuring import graphs_compiled
from validators.worker.user_code import seed

MOST_COMPILED = 3
"""Of a program that compiles more, the first that it calls are soaked."""

Found = dict[str, Any]


def soak(request: Found) -> Found:
    """Run the program `code` of the request, and its trials; return how they ended.

    In the mode "uncompiled", "trials" names those that eager mode can make, and "compared" those of
    them that compute the same again; "restores" says whether each call needs the state in which the
    program ended, "draws" whether calls take random numbers. Without a mode, those trials run
    compiled, which the request's "chosen" has in this form. "kinds" has, for each kind, why it does
    not hold, or "".
    """
    if request["mode"]:
        older_torch.complete()
        modes.enter(request["mode"])
    recorder = Recorder()
    path = Path(NAME).resolve()
    with printing_into(path.with_suffix(".txt")):
        with recorder.recording():
            error = execute(path, request)
        # A program that ends by asserting what the compiler did has made its calls.
        if error is not None and not (isinstance(error, AssertionError) and recorder.called()):
            return {"raised": type(error).__name__}
        several = [
            _Soak(it, f"{request['results']}-{number}")
            for number, it in enumerate(recorder.called()[:MOST_COMPILED])
        ]
        found = _uncompiled(several) if request["mode"] else _compiled(several, request)
    return {"raised": "", **found}


def _uncompiled(several: list[_Soak]) -> Found:
    runs = [it.possible() for it in several]
    return {
        "trials": [list(it) for it in runs],
        "compared": [[name for name, same in it.items() if same] for it in runs],
        "restores": [it.restores for it in several],
        "shapes": [it.shapes for it in several],
        "draws": any(it.draws for it in several),
    }


def _compiled(several: list[_Soak], request: Found) -> Found:
    found = request["chosen"]
    if found["draws"]:
        same_random_numbers()
    kinds: dict[str, str] = {}
    for number, it in enumerate(several):
        chosen, compared = found["trials"][number], found["compared"][number]
        if it.shapes != found["shapes"][number]:
            continue  # The program ended in another call, as one does that compiling makes raise.
        it.restores = found["restores"][number]
        for name, trial in it.trials(chosen):
            if kinds.get("calls"):  # What follows would only say it again.
                return {"kinds": kinds}
            compares = request["compares"] and name in compared and it.is_comparable(trial)
            kinds[trial.kind] = kinds.get(trial.kind) or it.judge(name, trial, compares)
    return {"kinds": kinds}


@dataclass
class _Run:
    """What the calls of a trial did: how many graphs each compiled, and what ended them."""

    compiles: list[int] = field(default_factory=list)
    raised: Exception | None = None


class _Soak:
    """Makes the trials of one thing that a program compiled."""

    def __init__(self, compiled: Compiled, saved: str) -> None:
        self.compiled, self.saved = compiled, saved
        given = compiled.given
        assert given is not None
        leaves = tree_leaves((given.args, given.kwargs))
        self.shapes = [list(leaf.shape) for leaf in leaves if isinstance(leaf, torch.Tensor)]
        self.trial_list = list(trials(compiled))
        roots = compiled.original, given.args, given.kwargs
        self.snapshot = Snapshot(vars(sys.modules["__main__"]), *roots)
        self.trained = any(leaf.grad is not None for leaf in self.snapshot.leaves())
        self.draws = self.restores = False

    def possible(self) -> dict[str, bool]:
        """The trials that eager mode can make, and whether they compute the same twice.

        If calls in a row are too many, as for a cache that is full then, each begins anew.
        """
        found = self._possible()
        if not found:
            self.restores = True
            found = self._possible()
        return found

    def _possible(self) -> dict[str, bool]:
        found: dict[str, bool] = {}
        chosen = set[str]()
        for name, trial in self.trials():
            if trial.choice in chosen:
                continue
            if self._run(trial).raised is None:
                results.save(self._file(name))
                chosen.add(trial.choice)
                again = self._run(trial)
                found[name] = again.raised is None and not self._difference(name)
            if "0" not in found:  # Without the identical calls, others say nothing.
                break
        self.snapshot.restore()
        return found

    def trials(self, names: list[str] | None = None) -> Iterator[tuple[str, Trial]]:
        """The trials, or those of some names, each with its name."""
        for number, trial in enumerate(self.trial_list):
            if names is None or str(number) in names:
                yield str(number), trial

    def is_comparable(self, trial: Trial) -> bool:
        """Whether a trial begins with eager mode's weights.

        Steps of training leave others in the last bits, which float64 shows.
        """
        return trial.dtype is None or not self.trained

    def judge(self, name: str, trial: Trial, compares: bool) -> str:
        """Run a trial compiled; say why it does not hold, or ""."""
        torch._dynamo.reset()
        run = self._run(trial)
        difference = self._difference(name) if compares and run.raised is None else ""
        self.snapshot.restore()
        if run.raised is not None:
            cause = run.raised.__cause__ if isinstance(run.raised, NoGradients) else None
            raised = cause or run.raised
            return f"raises {type(raised).__name__} in call {len(run.compiles) + 1}"
        if difference:
            differs = difference.partition(": ")[2]
            return differs if differs.startswith("values differ") else "other results than eager's"
        late = run.compiles[trial.settled :]
        if not any(late):
            return ""
        if trial.each:
            return f"each new {trial.each} compiles"
        return f"{sum(map(bool, late))} of {len(run.compiles)} calls compile after the third"

    def _file(self, name: str) -> str:
        return f"{self.saved}-{name}"

    def _difference(self, name: str) -> str:
        return results.compare(self._file(name))["difference"]

    def _run(self, trial: Trial) -> _Run:
        """Make the calls of a trial, from the state in which the program ended."""
        self.snapshot.restore()
        results.start_keeping()
        results.begin()
        run = _Run()
        # A module that was changed to another dtype may be left in it.
        with contextlib.ExitStack() as stack:
            stack.enter_context(trial.setting.entered())
            try:
                called = self._callables(trial)
                for number, given in enumerate(trial.calls):
                    if self.restores and trial.dtype is None:
                        self.snapshot.restore()
                    before = graphs_compiled()
                    self._call(called(number), given, trial)
                    run.compiles.append(graphs_compiled() - before)
            except Exception as error:
                run.raised = error
        return run

    def _callables(self, trial: Trial) -> Callable[[int], Callable[..., Any]]:
        """What the call of each number calls."""
        if trial.dtype is not None:
            for module in self.snapshot.modules:
                module.to(trial.dtype)
        run = self.compiled.run if trial.own else self.compiled.without_inductor()
        anew = functools.cache(self.compiled.anew)
        return lambda number: anew() if trial.anew and number else run

    def _call(self, run: Callable[..., Any], given: Arguments, trial: Trial) -> None:
        item = with_own_tensors(given)
        leaves = [*self.snapshot.leaves(), *Snapshot({}, item.args, item.kwargs).leaves()]
        if trial.backward:
            for leaf in leaves:
                leaf.grad = None
        seed(SEED)
        seeded = random_state()
        returned = run(*item.args, **item.kwargs)
        gradients = []
        if trial.backward:
            if not backward_of(returned):
                raise NoGradients
            gradients = [it.grad for it in leaves]
        self.draws = self.draws or not torch.equal(random_state(), seeded)
        kept = returned, gradients, self.snapshot.tensors, item.args, item.kwargs
        results.keep(_as_rounded(kept, trial.setting.autocast), (), None)


def _as_rounded(values: Any, dtype: torch.dtype | None) -> Any:
    """Results in the dtype of autocast, whose rounding they have, whatever their own dtype is."""
    if dtype is None:
        return values
    floats = [it for it in tree_leaves(values) if isinstance(it, torch.Tensor)]
    return [cast(it.detach(), dtype) for it in floats]
