"""The part `located`: which compiler, pass and op make a wrong result, and which setting avoids it.

Each answer is a trial: the same calls, compiled in another way, are compared with eager mode's.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import torch

from validators.inspector.differences.program import FILLS, program_of
from validators.inspector.differences.trials import Late, Trials
from validators.inspector.differences.window import Window, caused, smallest
from validators.inspector.loading.settings import Setting, holding, known
from validators.inspector.loading.target import Target
from validators.inspector.values.distances import from_json, is_wrong
from validators.probes.inductor import _generated, launched

Found = dict[str, Any]

BACKENDS = ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor")
"""The compilers of torch, each of which does what the one before does, and more."""
_MOST_PARTS = 3
"""Of so many parts with the wrong ops a program is tried: each size has its own."""
_SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "eager": {
        "torch._dynamo.config": {
            "automatic_dynamic_shapes": False,
            "assume_static_by_default": False,
            "specialize_float": True,
        }
    },
    "aot_eager_decomp_partition": {"torch._functorch.config": {"cse": False}},
    "inductor": {
        "torch._inductor.config": {
            "pattern_matcher": False,
            "joint_graph_constant_folding": False,
            "emulate_precision_casts": True,
            "fallback_random": True,
            "epilogue_fusion": False,
            "max_fusion_size": 1,
            "split_reductions": False,
            "layout_optimization": False,
            "comprehensive_padding": False,
            "allow_buffer_reuse": False,
            "inplace_buffers": False,
            "loop_ordering_after_fusion": False,
            "cpp.simdlen": 1,
            "cpp.enable_loop_tail_vec": False,
            "cpp.threads": 1,
        }
    },
}
"""For each compiler its settings that still compile the model, with values to try."""

_CACHES: dict[str, dict[str, Any]] = {
    "torch._functorch.config": {"enable_autograd_cache": False},
    "torch._inductor.config": {"fx_graph_cache": False},
}


class _Trials(Trials):
    """Compiles the calls up to the wrong one, and says whether that one is wrong."""

    def __init__(self, target: Target, number: int, options: Found, seconds: float) -> None:
        super().__init__(_shorter(target, number + 1), options, seconds)
        self._number = number
        self.kernels = 0
        self.infinite = False

    def shows(
        self,
        backend: Window | str = "inductor",
        before: Callable[[Target], object] | None = None,
    ) -> bool | None:
        """Whether the call is wrong; None if it raises. `before` changes what is compiled.

        Raises:
            Late: no time is left.
        """
        with _generated() as codes:
            found = self.compared(backend, before)
        self.kernels = sum(len(launched(code)) for code in codes)
        if found["raised"]:
            return None
        wrong = [it for it in found["differences"] if it["call"] == self._number and is_wrong(it)]
        self.infinite |= any(it["eager"] and math.isinf(from_json(it["eager"])) for it in wrong)
        return bool(wrong)


def located(target: Target, options: Found, shaping: Found) -> Found:
    """Where the wrong result of the call `shaping["wrong"]` comes from, as far as time allows.

    - "backend" is the first of `BACKENDS` that shows it, and "right" the one before, "" for none;
    - "cached" says that it shows with caches of compiled code only;
    - "subsystem", "application" and "detail" are what torch's own bisector finds;
    - "ops" and "stack" are the smallest run of ops that shows it where only they are compiled;
    - "program" is one of its own that shows it with random numbers, "" if none does;
    - "apart" says whether all is right where only they are not compiled, None if nobody tried;
    - "module" is the smallest module without which all is right, where no op is found;
    - "kernels" counts Inductor's, and "avoided" has the settings that avoid it, each with its own;
    - "tried" counts settings. "late" says that time ended before all was tried.
    """
    trials = _Trials(target, shaping["wrong"], options, shaping["seconds"])
    found: Found = {
        "wrong": shaping["wrong"],
        "backend": "",
        "right": "",
        "cached": False,
        "late": False,
    }
    found |= {"ops": [], "program": "", "stack": "", "apart": None, "module": "", "kernels": 0}
    found |= {"subsystem": "", "application": 0, "detail": "", "avoided": [], "tried": 0}
    try:
        with holding(_settings(_CACHES)):
            for name in BACKENDS:
                if trials.shows(name):
                    found.update(backend=name, kernels=trials.kernels)
                    break
                found["right"] = name
            if found["backend"]:
                for step in (_windowed, _bisected, _avoided, _by_module):
                    step(target, trials, found)
        if not found["backend"]:
            _with_caches(trials, found)
    except Late:
        found["late"] = True
    return found


def _with_caches(trials: _Trials, found: Found) -> None:
    """See whether caches of compiled code are the cause, and which."""
    if trials.shows():
        found.update(backend=BACKENDS[-1], cached=True, kernels=trials.kernels)
        _try_settings(_settings(_CACHES), trials, found)


def _windowed(_target: Target, trials: _Trials, found: Found) -> None:
    """Find the smallest run of ops, and see whether all is right without compiling it."""
    backend = found["backend"]
    if backend == "eager":
        return
    traced = Window(backend)
    trials.shows(traced)
    alone: dict[tuple[int, int], Window] = {}

    def shows(first: int, last: int) -> bool:
        alone[first, last] = Window(backend, [(first, last)])
        return bool(caused(trials.shows, alone[first, last]))

    if window := smallest(len(traced.ops), shows):
        first, last = window
        ops = traced.ops[first:last]
        found.update(ops=[name for name, _ in ops], stack=ops[-1][1])
        found["apart"] = trials.shows(Window(backend, [window], inverted=True)) is False
        found["program"] = _program(alone[window], trials)


def _program(window: Window, trials: _Trials) -> str:
    """A program that shows what the ops of a window compute, "" if none does.

    Raises:
        Late: no time is left.
    """
    for fill in (None, *(FILLS if trials.infinite else ())):
        for part in window.parts[:_MOST_PARTS]:
            trials.go_on()
            if text := program_of(part, window.backend, fill):
                return text
    return ""


def _bisected(_target: Target, trials: _Trials, found: Found) -> None:
    """Ask torch's own bisector for the subsystem; older releases have none."""
    try:
        from torch._inductor.compiler_bisector import BACKENDS as theirs
        from torch._inductor.compiler_bisector import CompilerBisector
    except ImportError:
        return
    backend = found["backend"]
    if not theirs[backend]:
        return
    # It looks up the last one as well when it ends.
    kept = {name: theirs[name] for name in (backend, BACKENDS[-1])}
    with (
        patch.dict(theirs, kept, clear=True),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(RuntimeError),
    ):
        # It stops where the same trial gives two answers.
        result = CompilerBisector.do_bisect(lambda: trials.shows() is False)
        if result and result.subsystem:
            found.update(
                subsystem=result.subsystem,
                application=result.bisect_number or 0,
                detail=str(result.debug_info or "")[:200],
            )


def _avoided(_target: Target, trials: _Trials, found: Found) -> None:
    """Try the settings of each compiler that runs."""
    backend = found["backend"]
    for compiler in BACKENDS[: BACKENDS.index(backend) + 1]:
        _try_settings(_settings(_SETTINGS.get(compiler, {})), trials, found)


def _try_settings(settings: Iterable[Setting], trials: _Trials, found: Found) -> None:
    for setting in settings:
        with holding([setting]):
            right = trials.shows(found["backend"]) is False
        found["tried"] += 1
        if right:
            place, name, value = setting
            avoided = {"setting": f"{place}.{name} = {value!r}", "kernels": trials.kernels}
            found["avoided"].append(avoided)


def _settings(given: dict[str, dict[str, Any]]) -> list[Setting]:
    """The settings that this torch has and that change something."""
    all_of = [(place, *it) for place, its in given.items() for it in its.items()]
    return [it for it in all_of if known(it)]


def _by_module(target: Target, trials: _Trials, found: Found) -> None:
    """Find the smallest module that must stay eager for all to be right."""
    if target.model is None or found.get("apart"):
        return
    path = ""
    below = [name for name, _ in target.model.named_children()]
    while below:
        chosen = next((it for it in below if _right_without(trials, found["backend"], it)), None)
        if chosen is None:
            break
        path = chosen
        children = target.model.get_submodule(path).named_children()
        below = [f"{path}.{name}" for name, _ in children]
    if path:
        module = target.model.get_submodule(path)
        found["module"] = f"{path} ({type(module).__name__})"


def _right_without(trials: _Trials, backend: str, path: str) -> bool:
    def leave_eager(target: Target) -> None:
        assert target.model is not None
        for module in target.model.get_submodule(path).modules():
            module.forward = torch.compiler.disable(module.forward)

    return trials.shows(backend, leave_eager) is False


def _shorter(target: Target, count: int) -> Target:
    """The target with its first calls only."""
    again = target.again
    return replace(target, calls=target.calls[:count], again=lambda: _shorter(again(), count))
