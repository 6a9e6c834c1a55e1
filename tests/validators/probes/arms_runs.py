"""Arms about what runs: full graphs, mutation, exceptions, backends, blocks."""

# ruff: noqa: D103 -- the name of an arm says what it does.
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from tests.validators.probes.arms import add_relu, ones, situation
from validators.probes import Report, compile_blocks, observe


@situation(
    calls=[[0, 0]],
    exception=["torch._dynamo.exc.Unsupported", "GB0170"],
    audit=["breakGB0170"],
    before={(2, 7): {"exception": ["torch._dynamo.exc.UserError", ""]}},
)
def fullgraph_raises() -> Report:
    return observe(lambda x: x + 1 if x.sum() > 0 else x, [(ones(3),), (ones(3),)], fullgraph=True)


@situation(
    targets=[{"sum": 1, "item": 1, "mul": 1}],
    before={
        (2, 11): {
            "calls": [[0, 0]],
            "exception": ["torch._dynamo.exc.Unsupported", "GB0124"],
            "audit": ["breakGB0124"],
            "targets": [],
        }
    },
)
def fullgraph_captures_scalars() -> Report:
    return observe(lambda x: x * x.sum().item(), [(ones(3),)], fullgraph=True)


@situation(calls=[[1, 1], [0, 1]], mutated=[[0, "L_x_", 0], [0, "L_x_", 1]])
def mutates_its_input() -> Report:
    def f(x: Any, y: Any) -> Any:
        x.add_(1)
        return x * y

    return observe(f, [(ones(3), ones(3)), (ones(3), ones(3))])


@situation()
def inference_tensors_have_no_version() -> Report:
    def f(x: Any) -> Any:
        return x.add_(1) * 2

    with torch.inference_mode():
        return observe(f, [(ones(3),)])


@situation(
    calls=[[1, 1], [0, 1], [0, 0]],
    exception=["torch._dynamo.exc.TorchRuntimeError", ""],
    recompiles=["0/1"],
)
def exception_ends_the_run() -> Report:
    fitting, wrong = (ones(3), ones(3)), (ones(3), ones(4))
    return observe(torch.mul, [fitting, fitting, wrong, fitting], compile=_eagerly)


def _eagerly(function: Any) -> Any:
    return torch.compile(lambda x, y: function(x, y), backend="eager")


@situation(
    calls=[[0, 0], [0, 0]],
    breaks=[["", "GB0219", True]],
    types=["Backend compiler exception"],
    # Torch 2.9 names no place.
    before={
        (2, 11): {"lines": [""]},
        (2, 7): {"lines": ["def add_relu(x: torch.Tensor) -> torch.Tensor:"]},
    },
    lines=["def add_relu(x: torch.Tensor) -> torch.Tensor:"],
)
def backend_refuses() -> Report:
    from torch._subclasses.fake_tensor import DataDependentOutputException

    def refuse(_gm: Any, _inputs: Any) -> Any:
        raise DataDependentOutputException(torch.ops.aten.item.default)

    return observe(add_relu, [(ones(3),), (ones(3),)], backend=refuse)


@situation(calls=[[0, 0]], exception=["torch._dynamo.exc.BackendCompilerFailed", ""])
def backend_fails() -> Report:
    def fail(_gm: Any, _inputs: Any) -> Any:
        raise RuntimeError("no")

    return observe(add_relu, [(ones(3),), (ones(3),)], backend=fail)


@situation(since=(2, 9), calls=[[2, 1], [1, 1], [0, 1]])
def specialized_sizes() -> Report:
    x = ones(8, 4)
    torch._dynamo.mark_dynamic(x, 0, specialize_on=[lambda n: n == 8, lambda n: n == 16])
    return observe(add_relu, [(x,), (ones(16, 4),), (ones(5, 4),)])


@situation(calls=[[1, 0]])
def exported_graphs_run_out_of_sight() -> Report:
    return observe(
        Block(0),
        [(ones(2, 3),)],
        compile=lambda it: lambda x: torch.export.export(it, (x,), strict=True).module()(x),
    )


@situation(
    since=(2, 6),
    calls=[[1, 1]] * 3 + [[0, 0]] * 2,
    recompiles=["0/1", "0/2"],
    limit=True,
    audit=["breakGB0039"],
    before={(2, 11): {"audit": [""]}},
)
def accumulated_limit() -> Report:
    shapes = [(4, 4), (2, 4), (4, 2), (4,), ()]
    with torch._dynamo.config.patch(accumulated_recompile_limit=3):
        return observe(add_relu, [(ones(*shape),) for shape in shapes])


@situation(calls=[[1, 1], [1, 1]])
def reset_between_calls() -> Report:
    def calls() -> Iterator[tuple[torch.Tensor]]:
        yield (ones(3),)
        torch._dynamo.reset()
        yield (ones(3),)

    return observe(add_relu, calls())


@situation(since=(2, 6), calls=[[1, 1], [0, 0]])
def eager_on_recompile() -> Report:
    def calls() -> Iterator[tuple[torch.Tensor]]:
        yield (ones(3),)
        with torch.compiler.set_stance("eager_on_recompile"):
            yield (ones(2),)

    return observe(add_relu, calls())


@situation(calls=[[1, 0]], ops=0, before={(2, 7): {"calls": [[0, 0]]}})
def empty_graphs_prove_nothing() -> Report:
    return observe(lambda x: x, [(ones(3),)], fullgraph=True)


@situation(calls=[[0, 0]])
def nothing_to_compile() -> Report:
    return observe(lambda x: x, [(ones(3),)])


@situation(calls=[[2, 2]], ops=4, recompiles=["0/1"])
def children_compiled_not_the_root() -> Report:
    return observe(
        Pair(),
        [(ones(2, 3),)],
        compile=lambda it: compile_blocks(it, "*", backend="eager"),
    )


@situation(calls=[[1, 3]])
def compiled_blocks() -> Report:
    model = torch.nn.ModuleDict({"blocks": torch.nn.ModuleList(map(Block, range(3)))})
    with torch.no_grad():
        return observe(
            model,
            [(ones(2, 3),)],
            compile=lambda it: _through(compile_blocks(it, "blocks.*", backend="eager")),
        )


class Block(torch.nn.Module):
    """One linear layer."""

    def __init__(self, _index: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply it."""
        return self.linear(x).relu()


class Pair(torch.nn.Module):
    """Two blocks and an op."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Block(0), Block(1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply them."""
        return self.second(self.first(x)).sin()


def _through(model: Any) -> Callable[[torch.Tensor], torch.Tensor]:
    def forward(x: torch.Tensor) -> torch.Tensor:
        for block in model["blocks"]:
            x = block(x)
        return x

    return forward


def sequential_is_compiled() -> Report:
    """Compiled on some releases only: `nn.Sequential(...).compile()` can do nothing, silently."""
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
    return observe(
        model, [(ones(2, 3),)], compile=lambda it: compile_blocks(it, "", backend="eager")
    )
