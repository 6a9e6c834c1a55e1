"""The calls that follow from a target's own."""

from __future__ import annotations

import torch

from validators.inspector.calls.made_up import rounds, varying
from validators.inspector.loading.target import Target
from validators.probes.arguments import call


def target(*calls):
    """A target for inference with these calls."""
    model = torch.nn.Linear(4, 4)
    return Target(model, model, calls, trains=False, again=lambda: target(*calls))


def test_other_sizes_are_made_of_what_varies():
    """Dims that vary together are one; a size below 2 is left out."""
    calls = [call(torch.rand(n, 4), mask=torch.ones(n, n)) for n in (2, 5)]
    assert varying(calls) == {(2, 5): [(0, 0), (1, 0), (1, 1)]}
    _, sized, *_ = rounds(target(*calls))
    assert [name for name, _ in sized.calls[3:-1]] == ["call 0 with size 11 in place of 2"]
    made = sized.calls[3][1]
    assert (made.args[0].shape, made.kwargs["mask"].shape) == ((11, 4), (11, 11))
    assert torch.equal(made.args[0][2:4], calls[0].args[0])


def test_calls_of_one_size_vary_in_nothing():
    """Nobody knows which of their dims may."""
    _, sized, *_ = rounds(target(call(torch.rand(3, 4))))
    assert [name for name, _ in sized.calls[1:-1]] == ["call 0 with parameters changed in place"]


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
    assert [it.dtype for it in others] == [torch.float64, torch.float16]
    assert [it.dtype for it in others[0].calls[0][1].args] == [torch.float64, torch.int64]


def test_inputs_require_gradients_where_they_did_not():
    """Those of floating point; nothing is made where all do."""
    given = target(call(torch.rand(3, 4), torch.arange(3)))
    name, item = next(it for it in list(rounds(given))[1].calls if "gradients" in it[0])
    assert name == "call 0 with inputs that require gradients"
    assert [it.requires_grad for it in item.args] == [True, False]
    given = target(call(torch.rand(3, 4, requires_grad=True)))
    assert not any("gradients" in name for it in rounds(given) for name, _ in it.calls)


def test_whole_numbers_in_rows_are_reversed():
    """A row of tokens is all that a call may have; lengths and masks stay."""
    mask = torch.tensor([[True, False]])
    given = target(call(torch.tensor([[1, 2]]), torch.arange(3), mask))
    made = {name: it.args for it in rounds(given) for name, it in it.calls}
    tokens, lengths, same = made["call 0 with its whole numbers reversed"]
    assert (tokens.tolist(), lengths.tolist()) == ([[2, 1]], [0, 1, 2])
    assert torch.equal(same, mask)


def test_tensors_of_other_strides_have_the_same_elements():
    """Of one dim there is only one order."""
    x = torch.rand(2, 3, 4)
    made = {name: it.args for it in rounds(target(call(x))) for name, it in it.calls}
    (other,) = made["call 0 with tensors of other strides"]
    assert torch.equal(other, x) and other.stride() != x.stride()
    given = rounds(target(call(torch.rand(4))))
    assert not any("strides" in name for it in given for name, _ in it.calls)


def test_a_round_changes_its_own_target():
    """The mode, the dtype, or parameters in place before one of the calls."""
    given = list(rounds(target(call(torch.rand(3, 4)))))
    moved = next(it for it in given if it.moved)
    double = next(it for it in given if it.dtype == torch.float64)
    other = next(it for it in given if it.training is not None)
    it = target()
    before = it.model.weight.detach().clone()
    moved.move(it, 0)
    assert torch.equal(it.model.weight, before)
    moved.move(it, 1)
    assert torch.allclose(it.model.weight, before * 17 / 16)
    assert double.of(target()).model.weight.dtype == torch.float64
    assert (target().model.training, other.of(target()).model.training) == (True, False)
