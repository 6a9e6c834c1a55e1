"""Results that one process keeps and another compares."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from validators.probes import observe, results, training_step

NAN = math.nan


def said(tmp_path: Path, compiled: Any, eager: Any) -> str:
    """The difference between two results, each kept as the only call of its process."""
    for result in (compiled, eager):
        results.start_keeping()
        results.begin()
        results.keep(result, (), None)
        if result is compiled:
            results.save(str(tmp_path / "results"))
    return results.compare(str(tmp_path / "results"))["difference"]


@pytest.fixture(autouse=True)
def _keep_nothing_afterwards() -> Any:
    yield
    results._keeping = False


@pytest.mark.parametrize(
    ("compiled", "eager"),
    [
        (torch.ones(3), torch.ones(3) + 1e-6),
        ({"a": torch.arange(3)}, {"a": torch.arange(3)}),
        (torch.tensor([NAN, math.inf]), torch.tensor([NAN, math.inf])),
        (2.0, 2.0000001),
        ("word", "word"),
        (torch.ones(3, dtype=torch.bfloat16), torch.ones(3, dtype=torch.bfloat16) * 1.01),
    ],
)
def test_equal_results(tmp_path: Path, compiled: Any, eager: Any) -> None:
    """Rounding is no difference; what is no number is compared as it is."""
    assert said(tmp_path, compiled, eager) == ""


@pytest.mark.parametrize(
    ("compiled", "eager", "words"),
    [
        (torch.ones(3), torch.ones(3) + 0.1, "values differ by 0.1"),
        (torch.ones(3), torch.ones(4), "float32[3], eager has float32[4]"),
        (torch.ones(3), torch.ones(3).double(), "float32[3], eager has float64[3]"),
        (torch.tensor([NAN]), torch.ones(1), "values differ by inf"),
        (torch.arange(3), torch.tensor([0, 1, 3]), "values differ by 1"),
        ((1, 2), (1,), "2 values, eager has 1"),
        (1, True, "int, eager has bool"),
        ("one", "two", "one, eager has two"),
    ],
)
def test_different_results(tmp_path: Path, compiled: Any, eager: Any, words: str) -> None:
    """Values, shapes, dtypes, structure and kinds count."""
    assert f"call 0: {words}" in said(tmp_path, compiled, eager)


def test_arguments_and_gradients_are_compared(tmp_path: Path) -> None:
    """What a call wrote into its arguments, and the gradients of a training step."""
    x, y = torch.ones(2, 3), torch.zeros(2, 1)

    def train(rate: float) -> None:
        torch.manual_seed(0)
        model = torch.nn.Linear(3, 1)
        step = training_step(
            model, torch.optim.SGD(model.parameters(), lr=rate), lambda a, b: (a - b).square().sum()
        )
        results.start_keeping()
        observe(step, [(x, y), (x, y)])

    train(0.01)
    results.save(str(tmp_path / "results"))
    train(0.01)
    assert results.compare(str(tmp_path / "results")) == {"calls": 2, "difference": ""}
    train(0.02)
    assert "call 1" in results.compare(str(tmp_path / "results"))["difference"]


def test_a_call_that_only_eager_refuses(tmp_path: Path) -> None:
    """Compiled code that returns where eager raises computes something else."""
    results.start_keeping()
    results.begin()
    results.keep(1, (), None)
    results.save(str(tmp_path / "results"))
    results.start_keeping()
    results.begin()
    assert results.compare(str(tmp_path / "results"))["difference"] == "call 0: eager raises"
