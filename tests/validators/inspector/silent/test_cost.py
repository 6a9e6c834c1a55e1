"""What compiled code costs, counted."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.silent.cost import cost_of

SIZE = 4 * 4 * 4
"""The bytes of a float32 matrix of 4 rows and 4 columns."""


def loops(x):
    """Fuses to one kernel."""
    return x.sin() + 1


def product(x):
    """Calls a library between two kernels."""
    return (x.sin() @ x).cos()


@pytest.mark.parametrize(
    ("call", "trains", "cost"),
    [
        (loops, False, [1, 1, 2 * SIZE]),
        (product, False, [1, 3, 7 * SIZE]),
        (loops, True, [2, 2, 5 * SIZE]),
    ],
)
def test_graphs_kernels_and_bytes_are_counted(call, trains, cost):
    """A backward is a graph of its own; what is read and written counts."""

    def run():
        torch._dynamo.reset()
        made = torch.compile(call)(torch.ones(4, 4, requires_grad=trains))
        if trains:
            made.sum().backward()

    assert cost_of(run) == cost
    assert cost_of(run) == cost, "code from a cache counts, too"


def test_eager_code_costs_nothing():
    """Nothing is compiled."""
    assert cost_of(lambda: loops(torch.ones(4, 4))) == [0, 0, 0]
