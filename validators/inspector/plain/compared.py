"""What a plain program does compiled, beside what it does in eager mode."""

from __future__ import annotations

import contextlib
import copy
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from validators.inspector.loading.target import copy_of
from validators.inspector.values.answers import random_state, same_random_numbers
from validators.probes import Report, observe
from validators.probes.arguments import Arguments
from validators.probes.differences import DIFFERENT
from validators.probes.report import Difference
from validators.probes.switches import force_eager
from validators.worker import older_torch
from validators.worker.user_code import module_of, seed, sentence

BATCHES = (4, 6, 1)
"""The batch sizes of a round of calls."""
ROUNDS = 2
CLOSE = 2e-5
"""Distances up to this are rounding."""
TIMES = 4.0
"""How many times eager's distance from float64 is rounding as well."""
_LARGEST = 1e300
"""What stands for results that cannot be subtracted."""
_LONGEST = 300
"""How many characters of a message are told."""

Found = dict[str, Any]
Step = Callable[..., Any]
Make = Callable[[torch.nn.Module, Callable[[Step], Step]], Step]
"""Makes what a call runs, of a model and of what compiles."""


class Use:
    """A way to use a model; a call returns a result, and gradients and state after it."""

    def __init__(self, model: torch.nn.Module, make: Make, mode: str) -> None:
        self.model, self.make, self.mode = model, make, mode
        self._compile: Callable[[Step], Step] = lambda it: it
        self._step: Step | None = None

    def __call__(self, *inputs: Any) -> Any:
        """Make one call."""
        # An optimizer of a model in float64 has its numbers in float64.
        if self._step is None:  # A compiled module has no truth value.
            self._step = self.make(self.model, self._compile)
        with _MODES[self.mode]():
            result = self._step(*inputs)
        named = dict(self.model.named_parameters())
        state = {**named, **dict(self.model.named_buffers())}
        return result, {name: it.grad for name, it in named.items()}, state

    def compile_in_place(self, **options: Any) -> Use:
        """Compile what a call compiles; `observe` calls this."""
        self._compile = lambda it: torch.compile(it, **options)
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Use:
        return Use(copy.deepcopy(self.model, memo), self.make, self.mode)


_MODES: dict[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {
    "training": contextlib.nullcontext,
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
}


def plain(request: dict[str, Any]) -> Found:
    """What happens to the program of the request in the mode that `part` names.

    It holds only "eager", an exception, if eager mode raises one.
    """
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    older_torch.complete()
    return found_in(module_of(Path(request["target"].rpartition(":")[0])), request["part"])


def found_in(program: ModuleType, mode: str, backend: Any = "inductor") -> Found:
    """What happens to a program in a mode, as `plain` tells it."""
    seed(0)
    use = Use(program.build().train(mode == "training"), maker(program, mode), mode)
    calls = [Arguments(program.inputs(batch)) for _ in range(ROUNDS) for batch in BATCHES]
    try:
        if _draws(copy.deepcopy(use), calls):
            same_random_numbers()
    except Exception as error:
        return {"eager": sentence(error)}
    return _told(observe(use, calls, backend=backend, compare=("eager", "float64")))


def maker(program: ModuleType, mode: str) -> Make:
    """What makes the calls of a program in a mode."""
    name, usual = ("training", _training) if mode == "training" else ("inference", _inference)
    made: Make = getattr(program, name, usual)
    return made


def _training(model: torch.nn.Module, compile: Callable[[Step], Step]) -> Step:
    """Forward, the mean square as the loss if the model returns none, backward and SGD."""
    optimizer = torch.optim.SGD([it for it in model.parameters() if it.requires_grad], lr=0.1)
    forward = compile(model)

    def step(*inputs: Any) -> torch.Tensor:
        optimizer.zero_grad()
        output = forward(*inputs)
        output = output[0] if isinstance(output, tuple) else output
        loss: torch.Tensor = output.square().mean() if output.dim() else output
        loss.backward()
        optimizer.step()
        return loss

    return step


def _inference(model: torch.nn.Module, compile: Callable[[Step], Step]) -> Step:
    return compile(model)


def _draws(use: Use, calls: list[Arguments]) -> bool:
    """Whether eager mode takes random numbers."""
    before = random_state()
    with force_eager():
        for item in calls:
            use(*copy_of(item).args)
    return not torch.equal(random_state(), before)


def _told(report: Report) -> Found:
    caught = report.exception
    seen = [it.difference for it in report.calls if it.difference is not None]
    wrong = [it for it in seen if not _is_rounding(it)]
    return {
        "graphs": len(report.graphs),
        "breaks": sorted({f"{it.id} {it.type}".strip() for it in report.graph_breaks}),
        "compiled_again": sum(report.compiled[len(BATCHES) :]),
        "recompiles": len(report.recompiles),
        "limit": report.recompile_limit_hit,
        "eager_calls": list(report.eager_calls),
        "raised": f"{caught.type}: {_short(caught.message)}" if caught else "",
        "differs": [] if not wrong else _distances(max(wrong, key=lambda it: it.eager or 0.0)),
    }


def _is_rounding(it: Difference) -> bool:
    """Whether what compiled code computes is as near to float64's as what eager mode does."""
    away, compiled, eager = it.eager, it.compiled_float64, it.eager_float64
    assert away is not None and compiled is not None and eager is not None
    return away <= CLOSE or (away < DIFFERENT and compiled <= TIMES * eager)


def _distances(it: Difference) -> list[float]:
    """From eager, from float64, and eager's from float64."""
    values = (it.eager, it.compiled_float64, it.eager_float64)
    return [float(f"{min(value, _LARGEST):.1g}") for value in values if value is not None]


def _short(message: str) -> str:
    return " ".join(message.split())[:_LONGEST]
