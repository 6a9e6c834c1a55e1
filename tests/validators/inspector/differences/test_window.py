"""Which ops of a model a window compiles."""

from __future__ import annotations

import torch

from validators.inspector.differences.window import Window


def noisy(x):
    """Draw twice; nothing but the order says which comes first."""
    moved = (x + torch.randn_like(x)).cos()
    share = torch.rand(4).neg()
    return torch.nn.functional.dropout(moved * share, 0.5)


def names(part):
    """What the ops of a part call."""
    return [node.name for node in part.graph.nodes if node.op.startswith("call")]


def test_random_numbers_are_drawn_in_their_order():
    """By ops that are not compiled, of which each stands where it stood."""
    x = torch.linspace(0.1, 0.4, 4)
    torch.manual_seed(0)
    expected = noisy(x)
    window = Window("eager", inverted=True, random=False)
    compiled = torch.compile(noisy, backend=window)
    torch.manual_seed(0)
    assert torch.equal(compiled(x), expected)
    assert [names(part) for part in window.parts] == [["add", "cos"], ["neg", "mul"]]


def test_a_window_compiles_its_ops_only():
    """Random ones, too, unless it is told to leave them."""
    window = Window("eager", [(0, 2), (5, 6)])
    torch.compile(noisy, backend=window)(torch.ones(4))
    assert [names(part) for part in window.parts] == [["randn_like", "add"], ["mul"]]
    assert [called for called, _ in window.ops][:3] == ["torch.randn_like", "add", "cos"]
