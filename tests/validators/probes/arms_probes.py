"""Arms about the other probes: comparison, training, guards, facts, caches."""

# ruff: noqa: D103 -- the name of an arm says what it does.
from __future__ import annotations

import contextlib
import os
from typing import Any

import torch
from torch._dynamo import compiled_autograd

from tests.validators.probes.arms import add_relu, ones, situation
from validators.probes import Report, captured_facts, guard_cost, observe, training_step


@situation(
    calls=[[1, 1], [0, 1]],
    differences=[[0.0, "small", "small", None]] * 2,
)
def outputs_compared() -> Report:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout(0.5))
    return observe(model, [(torch.randn(2, 3),)] * 2, compare=("eager", "float64"))


@situation(differences=[["large", None, None, None]])
def wrong_backend_is_seen() -> Report:
    def wrong(gm: Any, _inputs: Any) -> Any:
        return lambda *args: tuple(out + 1 for out in gm(*args))

    return observe(add_relu, [(ones(3),)], backend=wrong, compare=("eager",))


@situation(
    calls=[[1, 1], [0, 1]],
    backward=2,
    differences=[[0.0, None, None, 0.0]] * 2,
)
def training() -> Report:
    return _train("aot_eager")


@situation(
    calls=[[1, 1], [0, 1]],
    backward=0,
    differences=[[0.0, None, None, 0.0]] * 2,
)
def training_without_compiled_backward() -> Report:
    return _train("eager")


def _train(backend: Any) -> Report:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    step = training_step(model, optimizer, torch.nn.functional.mse_loss)
    data = [(torch.randn(5, 3), torch.randn(5, 2)) for _ in range(2)]
    return observe(step, data, backend=backend, compare=("eager", "gradients"))


@situation(calls=[[2, 2], [1, 2], [0, 2], [0, 1]], recompiles=[], backward=1)
def compiled_autograd_traces_no_hook() -> Report:
    model, calls = torch.nn.Linear(3, 2), [(ones(4, 3), on) for on in (True, True, True, False)]
    enable = getattr(compiled_autograd, "_enable", None) or compiled_autograd.enable

    def make(target: Any) -> Any:
        forward = torch.compile(target, backend="aot_eager")

        def step(x: torch.Tensor, on: bool) -> torch.Tensor:
            loss = forward(x).sum()
            with enable(torch.compile(backend="eager")) if on else contextlib.nullcontext():
                loss.backward()
            return loss.detach()

        return step

    return observe(model, calls, compile=make)


@situation(
    calls=[[1, 1], [0, 1]], times={"compile": 1, "guards_per_call": 3}, facts={"compilations": 1}
)
def guards_timed() -> Report:
    report = guard_cost(add_relu, (ones(3),), samples=3, calls_per_sample=2)
    assert report.facts.pop("guards", 1), "a guard count of 0"
    return report


@situation(
    calls=[],
    audit=[],
    facts={"one": [1, 2], "two.exception": "ValueError", "two.message": "no"},
)
def facts_captured() -> Report:
    def no() -> None:
        raise ValueError("no")

    return captured_facts(one=lambda: (1, 2), two=no)


@situation(
    slow=True,
    calls=[[1, 1], [0, 1]],
    mutated=[[0, "L_x_", 0], [0, "L_x_", 1]],
    cache=[["aot_hits", 0], ["aot_misses", 1], ["fx_hits", 0], ["fx_misses", 1]],
    # AOTAutograd's cache was off by default.
    before={
        (2, 6): {"cache": [["aot_hits", 0], ["aot_misses", 0], ["fx_hits", 0], ["fx_misses", 1]]}
    },
    cudagraphs=None,
)
def inductor_cold() -> Report:
    return _inductor("a")


@situation(
    slow=True,
    audit=["", ""],
    cache=[["aot_hits", 1], ["aot_misses", 0], ["fx_hits", 1], ["fx_misses", 0]],
    before={
        (2, 6): {"cache": [["aot_hits", 0], ["aot_misses", 0], ["fx_hits", 1], ["fx_misses", 0]]}
    },
    calls=[[1, 1], [0, 1]],
    mutated=[[0, "L_x_", 0], [0, "L_x_", 1]],
)
def inductor_warm() -> Report:
    _inductor("b")
    return _inductor("b")


def _inductor(fresh: str) -> Report:
    # The caches on disk have not seen this process's graph.
    constant = os.getpid() / 7 + ord(fresh)

    def f(x: Any) -> Any:
        x.add_(1)
        return (x * constant).sin().sum(0)

    return observe(f, [(ones(4, 4),), (ones(4, 4),)], backend="inductor", dynamic=False)


@situation(
    slow=True,
    cudagraphs={
        "skips": ["no reason logged: no GPU among the graph's devices, or a policy"],
        "recordings": 0,
        "replays": 0,
        "overwritten_outputs": 0,
    },
)
def cudagraphs_skipped_on_cpu() -> Report:
    return observe(add_relu, [(ones(3),)], backend="inductor", mode="reduce-overhead")
