"""Arms about recompilation and its limits."""

# ruff: noqa: D103 -- the name of an arm says what it does.
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from tests.validators.probes.arms import add_relu, ones, situation
from validators.probes import Report, observe


@situation(
    calls=[[1, 1], [1, 1], [0, 1]],
    recompiles=["0/1"],
    functions=["add_relu"],
    shapes=[[0, 1], [1, 1]],
    times={"compile": 2},
)
def recompiles_once_by_shape() -> Report:
    return observe(add_relu, [(ones(size),) for size in (2, 3, 5)])


@situation(calls=[[1, 1]] * 3, recompiles=["0/1", "0/2"], shapes=[[0, 1]] * 3)
def recompiles_each_shape_when_static() -> Report:
    return observe(add_relu, [(ones(size),) for size in (2, 3, 5)], dynamic=False)


@situation(calls=[[1, 1], [0, 1]], shapes=[[2, 2]])
def marked_dynamic() -> Report:
    x = ones(4, 6)
    torch._dynamo.mark_dynamic(x, 0)
    torch._dynamo.mark_dynamic(x, 1)
    return observe(add_relu, [(x,), (ones(5, 7),)])


class Named(torch.nn.Module):
    """A module whose name a caller changes, and on whose name each graph depends."""

    name = ""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add the length of the name."""
        return x + len(self.name)


def _names(model: Named, count: int) -> Iterator[tuple[torch.Tensor]]:
    for length in range(count):
        model.name = "a" * length
        yield (ones(3),)


@situation(
    calls=[[1, 1]] * 8 + [[0, 0]] * 2,
    recompiles=[f"0/{variant}" for variant in range(1, 8)],
    functions=["forward"] * 7,
    limit=True,
    audit=["breakGB0039"],
    before={(2, 11): {"audit": [""]}},
)
def recompile_limit() -> Report:
    model = Named()
    return observe(model, _names(model, 10))


@situation(
    calls=[[1, 1]] * 8 + [[0, 0]],
    recompiles=[f"0/{variant}" for variant in range(1, 8)],
    limit=True,
    exception=["torch._dynamo.exc.FailOnRecompileLimitHit", ""],
    audit=[""],
    before={(2, 7): {"exception": ["torch._dynamo.exc.CacheLimitExceeded", ""]}},
)
def recompile_limit_under_fullgraph() -> Report:
    model = Named()
    return observe(model, _names(model, 10), fullgraph=True)


@situation(calls=[[1, 1], [1, 1]], recompiles=["0/1"])
def other_backend_is_a_recompile() -> Report:
    backends = ("eager", "aot_eager")
    return observe(
        add_relu,
        [(0,), (1,)],
        compile=lambda it: _pick([torch.compile(it, backend=name) for name in backends]),
    )


def _pick(compiled: list[Any]) -> Callable[[int], Any]:
    return lambda index: compiled[index](ones(2, 3))
