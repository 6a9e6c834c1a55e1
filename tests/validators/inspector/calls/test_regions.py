"""Models are measured as their authors compile them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from validators.inspector.calls.regions import as_compiled, lightning_step
from validators.inspector.loading import own_settings
from validators.inspector.loading.target import Step, Target, compiled, forward_of


class Block(torch.nn.Module):
    """Multiplies in one graph."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply."""
        return self.layer(x).relu()


class Net(torch.nn.Module):
    """Blocks, which `chosen` compiles."""

    def __init__(self, chosen: Callable[[Block], Any]) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(2))
        for number, block in enumerate(self.blocks):
            made = chosen(block)
            self.blocks[number] = block if made is None else made

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Run all blocks."""
        for block in self.blocks:
            x = block(x)
        return x


def refused(*_: Any) -> Any:
    """A backend that nobody should ask."""
    raise AssertionError("the author's own backend was asked")


def in_place(block: Block) -> None:
    """Compile a block as torchtitan does."""
    block.compile(dynamic=False, backend=refused)


def forward(block: Block) -> None:
    """Compile a block as transformers' documentation says."""
    block.forward = torch.compile(block.forward, dynamic=False, backend=refused)


def wrapped(block: Block) -> Any:
    """What torch.compile returns for a block."""
    return torch.compile(block, dynamic=False, backend=refused)


def inner(block: Block) -> None:
    """Compile a block in place, and then a layer of it, which the block's graph takes in."""
    in_place(block)
    block.layer.compile(backend=refused)


def inner_wrapped(block: Block) -> Any:
    """A wrapped block with a wrapped layer."""
    block.layer = torch.compile(block.layer, backend=refused)
    return wrapped(block)


def target(make: Callable[[], Any], trains: bool = False) -> Target:
    """The target that a factory makes."""
    model = make()
    run = Step(model, torch.sum) if trains else model
    module = model if isinstance(model, torch.nn.Module) else None
    return Target(run, module, (), trains, again=lambda: target(make, trains))


def found(make: Callable[[], Any], trains: bool = False) -> tuple[Target, list[str], list[str]]:
    """The target as its author compiles it, with the names."""
    with own_settings.noting() as asked:
        made = target(make, trains)
    return as_compiled(made, asked)


def graphs_of(run: Callable[..., Any]) -> list[int]:
    """How many modules' graphs each of two sizes compiles."""
    torch._dynamo.reset()
    counts: list[int] = []

    def backend(graph: torch.fx.GraphModule, _: Any) -> Any:
        counts[-1] += 1
        return graph.forward

    made = compiled(run, {"backend": backend})
    for size in (2, 3, 5):
        counts.append(0)
        made(torch.ones(size, 4))
    return counts


@pytest.mark.parametrize("chosen", [in_place, forward, wrapped, inner, inner_wrapped])
@pytest.mark.parametrize("trains", [False, True])
def test_blocks_compile_by_themselves_with_their_own_options(
    chosen: Callable[[Block], Any], trains: bool
) -> None:
    """Each block has a graph for each size, since `dynamic=False` still holds."""
    made, names, inlined = found(lambda: Net(chosen), trains)
    assert (names, inlined) == (["blocks.0", "blocks.1"], [])
    whole = Net(lambda _: None)
    whole.load_state_dict(made.model.state_dict())
    x = torch.ones(2, 4)
    torch.testing.assert_close(forward_of(made)(x), whole(x))
    assert graphs_of(made.run) == [2, 2, 2]
    assert graphs_of(made.again().run) == [2, 2, 2]


def test_a_model_that_is_compiled_as_a_whole_has_no_regions() -> None:
    """Dynamo inlines what such a model compiles below."""

    def make() -> Any:
        model = Net(in_place)
        model.compile(backend=refused)
        return model

    def by_forward() -> Net:
        model = Net(in_place)
        model.forward = torch.compile(model.forward, backend=refused)
        return model

    assert found(make)[1:] == ([], [])
    assert found(lambda: Net(lambda _: None))[1:] == ([], [])
    made, *names = found(by_forward)
    assert names == [[], []]
    assert graphs_of(made.run) == graphs_of(made.again().run) == [1, 1, 0]


def test_a_compiled_function_is_named() -> None:
    """It is inlined into whatever calls it."""

    class Sampler(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.step = torch.compile(self.plain, backend=refused)
            self.scale = torch.compile(twice, backend=refused)

        def plain(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.step(self.scale(x))

    made, names, inlined = found(Sampler)
    assert (names, inlined) == ([], ["Sampler.plain", "twice"])
    assert made.model is not None


def twice(x: torch.Tensor) -> torch.Tensor:
    """Compute something."""
    return 2 * x


def test_a_wrapped_module_of_torch_is_compiled() -> None:
    """Though `Module.compile` compiles nothing of it."""

    class Stack(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
            self.layers = torch.compile(layers, dynamic=False, backend=refused)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.layers(x)

    made, names, _ = found(Stack)
    assert names == ["layers"]
    assert graphs_of(made.run) == graphs_of(made.again().run) == [1, 1, 1]


@pytest.mark.parametrize(("trains", "step"), [(True, "training_step"), (False, "")])
def test_the_step_that_a_trainer_compiles_is_named(trains, step):
    """Whichever package the module's class comes from; forward is all that a target calls."""
    module = type("LightningModule", (torch.nn.Linear,), {})
    assert lightning_step(target(lambda: module(2, 2), trains)) == step
    assert lightning_step(target(lambda: torch.nn.Linear(2, 2), trains)) == ""
