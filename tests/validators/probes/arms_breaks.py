"""Arms about graph breaks."""

# ruff: noqa: D103 -- the name of an arm says what it does.
from __future__ import annotations

from typing import Any

import torch

from tests.validators.probes.arms import add_relu, ones, situation
from validators.probes import Report, call, observe


@situation(calls=[[1, 1], [0, 1]], ops=2, targets=[{"add": 1, "relu": 1}], times={"compile": 1})
def nothing_breaks() -> Report:
    return observe(add_relu, [(ones(3),), (ones(3),)])


@situation(ops=2)
def keyword_arguments() -> Report:
    def f(x: Any, *, scale: float) -> Any:
        return (x + 1) * scale

    return observe(f, [call(ones(3), scale=2.0)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0170", False]],
    types=["Data-dependent branching"],
    lines=["if x.sum() > 0:"],
    files=["arms_breaks.py"],
    audit=["breakGB0170"],
)
def tensor_if() -> Report:
    def f(x: Any) -> Any:
        if x.sum() > 0:
            return x + 1
        return x - 1

    return observe(f, [(ones(3),)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0124", False]],
    types=["Unsupported Tensor.item() call with capture_scalar_outputs=False"],
    lines=["return observe(lambda x: x * x.sum().item(), [(ones(3),)])"],
    audit=["breakGB0124"],
)
def item() -> Report:
    return observe(lambda x: x * x.sum().item(), [(ones(3),)])


def _prints(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    print("", end="")
    return x * 2


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0059", False]],
    lines=['print("", end="")'],
    audit=["breakGB0059"],
)
def print_breaks() -> Report:
    return observe(_prints, [(ones(3),)])


@situation(
    calls=[[4, 4]],
    breaks=[["", "GB0059", False]] * 2,
    lines=['print("", end="")'] * 2,
    audit=["breakGB0059"],
)
def nested_break() -> Report:
    return observe(lambda x: _prints(x.sin()).cos(), [(ones(3),)])


@situation(
    calls=[[0, 0], [0, 0]],
    breaks=[["GB0170", "GB7000", True]],
    types=["graph break in loop"],
    before={
        (2, 11): {"breaks": [["", "GB0170", True]], "types": ["Data-dependent branching"]},
    },
    lines=["if x.sum() > 0:"],
    audit=["breakGB0170"],
)
def loop_break() -> Report:
    def f(x: Any) -> Any:
        for _ in range(3):
            x = x + 1
            if x.sum() > 0:
                x = x * 2
        return x

    return observe(f, [(ones(3),), (ones(3),)])


@situation(
    calls=[[0, 0]],
    breaks=[["", "GB0059", True]],
    lines=['print("", end="")'],
    audit=["breakGB0059"],
    mutated=[],
)
def try_finally() -> Report:
    def f(x: Any) -> Any:
        try:
            y = x + 1
            print("", end="")
            return y * 2
        finally:
            x.add_(1)

    return observe(f, [(ones(3),)])


@situation(
    calls=[[1, 1]],
    breaks=[["", "GB0170", False]],
    types=["Data-dependent branching"],
    lines=["if not torch.isfinite(y).all():"],
    audit=["breakGB0170"],
    targets=[{"relu": 1, "mul": 1}],
)
def no_resuming_in_a_try_block() -> Report:
    def f(x: Any) -> Any:
        y = x.relu() * 2
        try:
            if not torch.isfinite(y).all():
                raise FloatingPointError
        except FloatingPointError:
            y = y - 1
        return (y + x).tanh()

    return observe(f, [(ones(3),)])


class Manager:
    """A context manager that torch does not know."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@situation(
    calls=[[0, 0]],
    breaks=[["GB0025", "GB0066", True]],
    types=["Graph break under GenericContextWrappingVariable"],
    before={(2, 11): {"breaks": [["", "GB0066", True]], "audit": ["breakGB0066"]}},
    lines=["torch._dynamo.graph_break()"],
    audit=["breakGB0025"],
)
def context_manager() -> Report:
    def f(x: Any) -> Any:
        with Manager():
            x = x + 1
            torch._dynamo.graph_break()
            return x * 2

    return observe(f, [(ones(3),)])


@torch.compiler.disable
def _disabled(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0098", False]],
    lines=["return observe(lambda x: _disabled(x.sin()).cos(), [(ones(3),)])"],
    audit=["breakGB0098"],
)
def disabled_callee() -> Report:
    return observe(lambda x: _disabled(x.sin()).cos(), [(ones(3),)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0036", False]],
    lines=["return observe(lambda x: (x + 1).nonzero() * 2, [(ones(3),)])"],
    audit=["breakGB0036"],
)
def dynamic_output() -> Report:
    return observe(lambda x: (x + 1).nonzero() * 2, [(ones(3),)])


@situation(
    calls=[[2, 2]],
    breaks=[["", "GB0025", False]],
    lines=["torch._dynamo.graph_break()"],
    audit=["breakGB0025"],
)
def explicit_break() -> Report:
    def f(x: Any) -> Any:
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    return observe(f, [(ones(3),)])
