"""The guide's program that chooses a way to compile."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from strategies import safe_compile
from tests.strategies.models import Block, Stack

GUIDE = Path(__file__).parents[2] / "playbooks" / "guides" / "should-i-compile.md"
X = torch.ones(4, 16)
TOKENS = torch.zeros(2, 5, dtype=torch.long)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the program defines, where `safe_compile.py` is copied beside it."""
    monkeypatch.setitem(sys.modules, "safe_compile", safe_compile)
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def compiled_by(program: dict[str, Any], model: torch.nn.Module, call: torch.Tensor) -> list[str]:
    """The names of the modules that the program compiles; it returns the model itself."""
    assert program["compile_by_cost"](model, call) is model
    return [name for name, it in model.named_modules() if it._compiled_call_impl is not None]


def test_ops_are_those_that_dynamo_traces(program: dict[str, Any]) -> None:
    """Four for each block; the embedding and the head are outside. The model stays as it is."""
    model = Stack(12)
    assert program["traced_ops"](model, TOKENS) == 50
    assert model._compiled_call_impl is None


@pytest.mark.parametrize(
    ("make", "call", "compiled"),
    [
        (Block, X, [""]),
        (lambda: Stack(2), TOKENS, ["blocks.0", "blocks.1"]),
        (lambda: torch.nn.Sequential(Block(), torch.nn.Tanh()), X, [""]),
    ],
)
def test_ops_and_blocks_decide(
    make: Callable[[], torch.nn.Module],
    call: torch.Tensor,
    compiled: list[str],
    program: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Few ops are compiled whole, else equal blocks one by one, else all within a time limit."""
    made: list[bool] = []

    def compile_safely(model: torch.nn.Module, calls: Any, **options: Any) -> torch.nn.Module:
        del options["timeout"]
        made.append(options.get("regional", False))
        return safe_compile.safe_compile(model, calls, backend="eager", **options)

    monkeypatch.setitem(program, "safe_compile", compile_safely)
    program["FEW_OPS"] = 4
    model = make()
    assert compiled_by(program, model, call) == compiled
    assert made == {"Block": [], "Stack": [True]}.get(type(model).__name__, [True, False])
