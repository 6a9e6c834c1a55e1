"""Differences between results, and the references that they are taken from."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from tests.validators.probes.arms import add_relu, ones
from validators.probes import observe, training_step
from validators.probes.differences import DIFFERENT, distance

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (ones(2), ones(2) + 0.5, 0.5),
        ({"a": ones(2)}, {"a": ones(2)}, 0.0),
        (torch.tensor([NAN, INF]), torch.tensor([NAN, INF]), 0.0),
        (torch.tensor([NAN]), torch.tensor([1.0]), DIFFERENT),
        (torch.tensor([INF]), torch.tensor([-INF]), DIFFERENT),
        (ones(2), ones(3), DIFFERENT),
        (ones(2), ones(2).double(), DIFFERENT),
        ((ones(2),), (ones(2), ones(2)), DIFFERENT),
        (1.0, 3.5, 2.5),
        (True, False, 1.0),
        ("a", "a", 0.0),
        ("a", "b", DIFFERENT),
        (torch.tensor([1 + 2j]), torch.tensor([1 - 2j]), 4.0),
        (torch.empty(0), torch.empty(0), 0.0),
    ],
)
def test_distance(one: Any, other: Any, expected: float) -> None:
    """The largest absolute difference, finite always, so that it travels as JSON."""
    assert distance(one, other) == expected


def test_distance_across_precisions() -> None:
    """Against a float64 reference the kind of tensor does not count."""
    assert distance(ones(2), ones(2).double(), kind=False) == 0.0


def test_references_do_not_share_inputs() -> None:
    """A target that changes its input gives the reference the input of before."""

    def f(x: torch.Tensor) -> torch.Tensor:
        return x.add_(1) * 2

    x = ones(3)
    report = observe(f, [(x,), (x,)], compare=("eager", "float64"))
    assert [call.difference.eager for call in report.calls if call.difference] == [0.0, 0.0]
    assert torch.equal(x, ones(3) + 2)


def test_references_do_not_share_modules() -> None:
    """A module with state in buffers is compared with a copy that lived the same calls."""
    model = torch.nn.BatchNorm1d(3)
    report = observe(model, [(torch.randn(4, 3),) for _ in range(3)], compare=("eager",))
    assert all(call.difference and call.difference.eager == 0.0 for call in report.calls)
    assert model.num_batches_tracked == 3


def test_a_module_compiled_before_is_compared_with_its_original() -> None:
    """A compiled module's references are copies of the module inside, float64 a true one."""
    torch.manual_seed(0)
    compiled = torch.compile(torch.nn.Linear(3, 2), backend="eager")
    report = observe(compiled, [(torch.randn(4, 3),)], compile=_as_it_is, compare=("float64",))
    difference = report.calls[0].difference
    assert difference is not None
    assert difference.eager_float64 is not None
    assert 0 < difference.eager_float64 < 1e-5
    assert compiled.weight.dtype == torch.float32


def _as_it_is(target: Any) -> Any:
    return target


def test_inputs_made_by_autograd_and_inference_mode() -> None:
    """Tensors that cannot be deep-copied are compared all the same."""
    made = ones(3).requires_grad_() * 2
    with torch.inference_mode():
        frozen = ones(3)
    report = observe(torch.add, [(made.detach(), frozen)], compare=("eager",), compile=_through)
    assert report.exception is None
    report = observe(add_relu, [(made,)], compare=("eager",))
    assert report.calls[0].difference is not None
    assert report.calls[0].difference.eager == 0.0


def _through(function: Any) -> Any:
    return torch.compile(lambda x, y: function(x, y), backend="eager")


def test_wrong_gradients_are_seen() -> None:
    """A backend with a wrong backward shows in the gradients and not in the outputs."""

    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
            return gradient + 1

    def backend(gm: Any, _inputs: Any) -> Any:
        return lambda *args: tuple(Wrong.apply(out) for out in gm(*args))

    report = observe(
        torch.nn.Linear(3, 2), [(ones(4, 3),)], backend=backend, compare=("eager", "gradients")
    )
    difference = report.calls[0].difference
    assert difference is not None
    assert difference.eager == 0.0
    assert difference.gradients_eager is not None
    assert 0.5 < difference.gradients_eager < DIFFERENT


def test_input_gradients_are_compared() -> None:
    """Gradients of inputs count too, each call's alone."""
    x = ones(3).requires_grad_()
    report = observe(torch.nn.LayerNorm(3), [(x,), (x,)], compare=("gradients",))
    assert [c.difference.gradients_eager for c in report.calls if c.difference] == [0.0, 0.0]
    assert x.grad is not None


def test_gradients_that_accumulate_do_so_in_the_reference() -> None:
    """Gradients that were there before the first call are in the reference too."""
    model, x = torch.nn.Linear(3, 2), ones(4, 3)
    model(x).sum().backward()
    report = observe(model, [(x,)] * 2, compare=("gradients",))
    assert [c.difference.gradients_eager for c in report.calls if c.difference] == [0.0, 0.0]


def test_an_optimizer_follows_its_copied_model() -> None:
    """A training step's reference trains its own copy and leaves the model to the arm."""
    model = torch.nn.Linear(2, 1)
    before = model.weight.detach().clone()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    step = training_step(model, optimizer, torch.nn.functional.mse_loss, compile_optimizer=True)
    report = observe(step, [(ones(3, 2), ones(3, 1))] * 2, compare=("eager", "float64"))
    assert not torch.equal(model.weight, before)
    assert all(c.difference and c.difference.eager == 0.0 for c in report.calls)
    assert all(c.difference and c.difference.eager_float64 < 1e-5 for c in report.calls)


def test_unknown_words_are_refused() -> None:
    """A word that `compare` does not know is an error, not a silent omission."""
    with pytest.raises(ValueError, match="not among"):
        observe(add_relu, [(ones(3),)], compare=("float32",))
