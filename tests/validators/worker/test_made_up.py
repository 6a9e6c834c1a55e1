"""The calls that follow from a target's own."""

from __future__ import annotations

import torch

from validators.probes.arguments import call
from validators.worker.made_up import rounds, varying
from validators.worker.target import Target


def target(*calls):
    """A target for inference with these calls."""
    model = torch.nn.Linear(4, 4)
    return Target(model, model, calls, trains=False, again=lambda: target(*calls))


def test_other_sizes_are_made_of_what_varies():
    """Dims that vary together are one; a size below 2 is left out."""
    calls = [call(torch.rand(n, 4), mask=torch.ones(n, n)) for n in (2, 5)]
    assert varying(calls) == {(2, 5): [(0, 0), (1, 0), (1, 1)]}
    _, sized, *_ = rounds(target(*calls))
    assert [name for name, _ in sized.calls[2:]] == ["call 0 with size 11 in place of 2"]
    made = sized.calls[2][1]
    assert (made.args[0].shape, made.kwargs["mask"].shape) == ((11, 4), (11, 11))
    assert torch.equal(made.args[0][2:4], calls[0].args[0])


def test_calls_of_one_size_vary_in_nothing():
    """Nobody knows which of their dims may."""
    _, sized, *_ = rounds(target(call(torch.rand(3, 4))))
    assert [name for name, _ in sized.calls] == ["call 0 with parameters changed in place"]


def test_sizes_and_values_get_to_other_branches():
    """Whole numbers stay what they are; what does not vary has its first dims changed."""
    given = call(torch.ones(3, 4), torch.arange(3), torch.ones(3, 3, dtype=torch.bool))
    made = {name: it.args for it in rounds(target(given)) for name, it in it.calls}
    values = [made[f"call 0 with values times {factor}"] for factor in (8, 100, -1, 0)]
    assert [it[0].unique().tolist() for it in values] == [[8], [100], [-1], [0]]
    assert all(torch.equal(it[1], torch.arange(3)) for it in values)
    for size in (0, 1):
        shapes = [list(it.shape) for it in made[f"call 0 with size {size} in dim 0"]]
        assert shapes == [[size, 4], [size], [size, 3]]
    for name in ("nan", "inf"):
        (row, column), *others = (made[f"call 0 with a number that is {name}"][0] != 1).nonzero()
        assert ([row, column], others) == ([2, 3], [])


def test_other_dtypes_are_those_that_are_not_there():
    """Whole numbers have none."""
    given = target(call(torch.rand(3, 4, dtype=torch.bfloat16), torch.arange(3)))
    others = [it for it in rounds(given) if it.dtype]
    assert [it.dtype for it in others] == [torch.float64]
    assert [it.dtype for it in others[0].calls[0][1].args] == [torch.float64, torch.int64]


def test_a_round_changes_its_own_target():
    """Parameters in place, or the dtype."""
    given = list(rounds(target(call(torch.rand(3, 4)))))
    moved = next(it for it in given if it.moved)
    double = next(it for it in given if it.dtype == torch.float64)
    model = target().model
    before = model.weight.detach().clone()
    assert torch.allclose(moved.of(target()).model.weight * 0 + before * 17 / 16, before * 17 / 16)
    assert double.of(target()).model.weight.dtype == torch.float64
