"""`choose_strategy` and `count_parameters`."""

from __future__ import annotations

import time

import pytest
import torch

from strategies.compile_strategies import (
    STRATEGIES,
    TIERS,
    Strategy,
    choose_strategy,
    count_parameters,
)
from tests.strategies.models import Block, Stack

X = torch.ones(4, 16)
TOKENS = torch.zeros(2, 5, dtype=torch.long)


def test_few_ops_are_compiled_whole() -> None:
    """The reason is the number of ops that Dynamo traced."""
    found = choose_strategy(Block(), [X])
    assert (found.name, found.ops, found.regional_ops) == ("full", 4, None)


def test_equal_blocks_that_halve_the_ops_are_compiled_one_by_one() -> None:
    """The strategy names the blocks, and the model stays as it is."""
    model = Stack(12)
    found = choose_strategy(model, [TOKENS], few_ops=10)
    # Four ops per block; the embedding and the head are outside.
    assert (found.name, found.ops, found.regional_ops) == ("regional", 50, 4)
    assert found.blocks == tuple(f"blocks.{it}" for it in range(12))
    assert model.blocks[0]._compiled_call_impl is None


def test_many_ops_without_equal_blocks_get_a_time_limit() -> None:
    """The same number of ops in equal blocks is compiled block by block."""
    equal = torch.nn.Sequential(*(Block() for _ in range(6)))
    assert choose_strategy(equal, [X], few_ops=10).name == "regional"
    distinct = torch.nn.Sequential(torch.nn.Linear(16, 8), Block(8), torch.nn.Linear(8, 16))
    found = choose_strategy(distinct, [X], few_ops=3)
    assert (found.name, found.ops) == ("full_with_time_limit", 6)


def test_nothing_to_trace_stays_eager() -> None:
    """Compiling gains nothing without an op."""
    assert choose_strategy(torch.nn.Identity(), [X]).name == "eager"


def test_counting_has_a_time_limit() -> None:
    """A forward pass that does not end is not waited for."""

    class Slow(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            torch._dynamo.graph_break()
            time.sleep(600)
            return x

    found = choose_strategy(Slow(), [X], timeout=2)
    assert found.name == "eager"
    assert "longer than 2 s" in found.reason


def test_without_calls_the_structure_decides() -> None:
    """Nothing is traced then."""
    assert choose_strategy(Stack(2)).name == "regional"
    assert choose_strategy(Block()).name == "full_with_time_limit"


@pytest.mark.parametrize(
    ("billions", "tier"),
    [(0.9, "below_1b"), (1, "1b_to_10b"), (10, "10b_to_40b"), (41, "above_40b")],
)
def test_tier_follows_the_parameters(billions: float, tier: str) -> None:
    """The tiers begin at 1, 10 and 40 billion."""
    model = torch.nn.Sequential(*(torch.nn.Linear(1, 1) for _ in range(2)))
    half = int(billions * 10**9 / 2)
    for layer in model:
        layer.weight = torch.nn.Parameter(torch.empty(half, 1, device="meta"))
    found = choose_strategy(model, tier="by_parameters")
    assert found == choose_strategy(model, tier=tier)
    assert found.name == TIERS[tier][1]
    assert "parameters do not decide" in found.reason


def test_unknown_tier() -> None:
    """The error names those that exist."""
    with pytest.raises(ValueError, match="no tier 'huge'; give one of below_1b"):
        choose_strategy(Block(), tier="huge")


def test_each_strategy_can_be_applied() -> None:
    """A strategy compiles the whole model, its blocks or nothing."""
    compiled = {}
    for name in STRATEGIES:
        model = Strategy(name, "").apply(Stack(2), [TOKENS], backend="eager")
        model(TOKENS)
        modules = model.named_modules()
        compiled[name] = [path for path, it in modules if it._compiled_call_impl is not None]
    blocks = ["blocks.0", "blocks.1"]
    whole = [""]
    assert compiled == {
        "full": whole,
        "full_with_time_limit": whole,
        "regional": blocks,
        "eager": [],
    }


def test_shared_parameters_count_once() -> None:
    """Be it one parameter object or two of one storage."""
    model = Stack(1)
    assert count_parameters(model) == 8 * 16 + 16 * 16 + 16
    # Two parameter objects of one storage.
    model.head.weight = torch.nn.Parameter(model.embedding.weight.data)
    assert count_parameters(model) == 8 * 16 + 16 * 16 + 16
    model.head.weight = torch.nn.Parameter(torch.ones(8, 16))
    assert count_parameters(model) == 2 * 8 * 16 + 16 * 16 + 16


def test_frozen_meta_and_uninitialized_parameters() -> None:
    """Shapes suffice for counting; what has no shape is not counted."""
    with torch.device("meta"):
        model = torch.nn.Sequential(torch.nn.Linear(10**6, 10**6), torch.nn.Linear(10**6, 10**6))
    assert count_parameters(model) == 2 * (10**12 + 10**6)
    model[0].requires_grad_(False)
    assert count_parameters(model, trainable_only=True) == 10**12 + 10**6
    with pytest.warns(RuntimeWarning, match="2 parameters are uninitialized"):
        assert count_parameters(torch.nn.Sequential(torch.nn.LazyLinear(3), Block(2))) == 6
