"""What counts as rounding, and what is called different."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.values.answers import Answer
from validators.inspector.values.leaves import leaves
from validators.inspector.values.rounding import (
    expected,
    in_double,
    in_other_bits,
    other_kind,
    other_values,
    parts,
    residue,
    scale_of,
    undetermined,
)
from validators.probes.arguments import call


def answer(output=None, gradient=None, state=None):
    """An answer of these values; the gradient and the state are of a parameter `weight`."""
    return Answer(
        leaves(output, "output"),
        {},
        leaves(gradient, "weight") if gradient is not None else None,
        leaves(state, "weight") if state is not None else {},
        {},
    )


def differs(ours, theirs, *others, **told):
    """Whether an answer differs from another one, of which `others` differ by rounding alone."""
    initial = told.pop("initial", {})
    return bool(other_values(ours, expected(theirs, others, initial, **told)))


ONE = torch.tensor([1.0, 2.0])


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("made", [lambda it: answer(it), lambda it: answer(None, gradient=it)])
def test_a_tensor_is_compared_on_its_own_scale(scale, made):
    """However small it is."""
    assert not differs(made(ONE * scale * (1 + 1e-5)), made(ONE * scale))
    assert differs(made(ONE * scale * (1 + 1e-3)), made(ONE * scale))


def test_small_slices_are_compared_on_their_own_scale():
    """Unless rounding is as large as they are, or few elements are there to measure it."""
    scales = torch.tensor([1.0, 1e-7, 1.0])
    small = torch.rand(8, 3, generator=torch.Generator().manual_seed(0)) * scales
    zeros = small * torch.tensor([1.0, 0.0, 1.0])
    twins = [answer(small * (1 + 1e-7 * n)) for n in (1, 2)]
    wanted = expected(answer(small), twins, {})
    assert " in [:, 1], and rounding by" in other_values(answer(zeros), wanted)
    assert not differs(answer(small * (1 + 1e-6)), answer(small), *twins)
    noisy = [answer(small + 1e-8 * n) for n in (1, 2)]
    assert not differs(answer(zeros), answer(small), *noisy)
    for there in (0, slice(0), slice(3), (0, 0)):
        given = [answer(it[there]) for it in (zeros, small, small, small)]
        assert not differs(*given)


def test_measured_rounding_is_allowed():
    """A gradient may be nothing else; then any other one like it will do."""
    noise = answer(None, gradient=ONE * 1e-9)
    assert differs(answer(None, gradient=-ONE * 1e-9), noise)
    assert not differs(answer(None, gradient=-ONE * 1e-9), noise, answer(None, gradient=ONE * 0))


def test_where_all_cancels_rounding_is_left():
    """It is as large as rounding of what cancels, no larger."""
    zeros = answer((ONE, ONE * 0))
    assert not differs(answer((ONE, ONE * 1e-7)), zeros)
    assert differs(answer((ONE, ONE * 1e-5)), zeros)


def test_of_state_the_change_is_compared():
    """A lost update is lost, however little of the value it is."""
    initial = leaves(ONE, "weight")
    moved, still = answer(None, state=ONE + 1e-4), answer(None, state=ONE)
    assert differs(still, moved, initial=initial)
    assert not differs(still, still, initial=initial)
    assert differs(answer(None, state=ONE + 1e-5), still, initial=initial)


def test_of_trained_weights_mean_squares_are_compared():
    """One step the other way decides nothing, and all of them do."""
    initial = leaves(torch.zeros(1000), "weight")
    steps = torch.ones(1000)
    one = steps.index_fill(0, torch.tensor([3]), 0.0)
    told = {"initial": initial, "trained": frozenset({"weight"})}
    assert not differs(answer(None, state=one), answer(None, state=steps), **told)
    assert differs(answer(None, state=-steps), answer(None, state=steps), **told)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (torch.tensor([1, 2]), torch.tensor([1, 3])),
        (torch.tensor([1.0, float("nan")]), ONE),
        (ONE, torch.tensor([1.0, float("inf")])),
        (2.0, 2.1),
        ("sum", "mean"),
        (3, 4),
    ],
)
def test_other_values_differ(ours, theirs):
    """Numbers, texts, NaN, infinities; each equals itself."""
    assert differs(answer(ours), answer(theirs))
    assert not differs(answer(ours), answer(ours))


def test_other_values_are_named():
    """By their place, with their sizes."""
    wanted = expected(answer({"a": ONE}), [], {})
    assert other_values(answer({"a": ONE * 2}), wanted) == (
        "output['a'] differs by 2, and rounding by at most 0.0004; before, it goes up to 2"
    )


def test_an_output_that_is_mostly_rounding_is_named():
    """That it is equal says little."""
    assert undetermined(expected(answer(ONE), [answer(ONE * 1.1)], {})).startswith("rounding may")
    assert undetermined(expected(answer(ONE), [answer(ONE)], {})) == ""


def test_a_gradient_of_a_parameter_that_is_not_there_is_not_missed():
    """Somebody may have split or joined parameters."""
    have = answer(None, gradient=ONE, state=ONE)
    none = Answer(have.returned, {}, {}, have.state, {})
    renamed = Answer(have.returned, {}, {}, {}, {})
    assert other_kind(none, have) == "the gradient of weight is gone; before, it is float32[2]"
    assert other_kind(have, none) == "the gradient of weight is new: it is float32[2]"
    zero = answer(None, gradient=ONE * 0, state=ONE)
    assert other_kind(zero, none).endswith("is new: it is float32[2], all zero")
    assert other_kind(renamed, have) == ""


def test_a_buffer_that_becomes_infinite_has_a_finite_scale():
    """Else any other change of it would look small."""
    have = answer(None, gradient=ONE, state=torch.tensor([1.0, float("inf")]))
    (place,) = (it for it, _ in parts(have) if it[0] == "state")
    initial = answer(None, gradient=ONE, state=ONE * 0).state
    assert scale_of(place, have.state[place[1]], initial) == 1.0


def test_last_bits_leave_whole_numbers_alone():
    """A mask of ones stays one."""
    model = torch.nn.Linear(64, 1)
    weight = model.weight.detach().clone()
    (moved,) = in_other_bits(0, model, [call(torch.ones(4), torch.tensor([1]))])
    assert torch.equal(moved.args[0], torch.ones(4))
    gap = (model.weight - weight).abs() / weight.abs()
    assert 0 < gap.max() < 3e-7


def test_arguments_that_share_memory_still_do():
    """Once their last bits differ, or in float64; an object stays one."""
    base = torch.linspace(0.1, 0.9, 8)
    given = call(base[:6], base[2:], base[:6].requires_grad_(), (one := torch.ones(3)), one)
    for (item,) in (in_other_bits(1, None, [given]), in_double(None, [given])):
        first, second, third, left, right = item.args
        assert left is right
        assert third.requires_grad
        first.mul_(2)
        assert torch.equal(first[2:], second[:4])
        assert torch.equal(first, third.detach())


@pytest.mark.parametrize(
    ("dtype", "most"), [(torch.float64, 2.3e-14), (torch.float32, 1.2e-5), (torch.bfloat16, 7.9e-3)]
)
def test_what_cancels_leaves_units_of_its_sum(dtype, most):
    """A hundred of float32's; a bfloat16 that is stored has but one of its own."""
    (leaf,) = leaves(torch.full((2,), 1e-30, dtype=dtype), "bias").values()
    assert residue(leaf, 1.0, beside=1.0) == pytest.approx(most, rel=0.05)
