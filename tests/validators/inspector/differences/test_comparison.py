"""How far compiled calls are said to be from eager's."""

from __future__ import annotations

import json

import pytest
import torch

from validators.inspector.differences.comparison import compared, compared_as_drawn
from validators.inspector.differences.window import Window
from validators.inspector.loading.target import Step, Target
from validators.inspector.values.distances import CLOSE, from_json, is_wrong
from validators.probes.arguments import Arguments, call


class Model(torch.nn.Module):
    """A layer before a normalization, so that the gradient of its bias is rounding alone."""

    def __init__(self, scale):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.scale = scale

    def forward(self, x):
        """Compute a small or a large output."""
        return self.norm(self.layer(x)) * self.scale


def target(scale=1.0, trains=False):
    """A target with one call."""
    torch.manual_seed(0)
    model = Model(scale)
    run = Step(model, lambda output: (output**3).mean()) if trains else model
    calls = (call(torch.rand(8, 4)),)
    return Target(run, model, calls, trains, again=lambda: target(scale, trains))


def other_arithmetic(model, factor=1.0):
    """A forward pass that rounds in another way, and multiplies its result."""

    def forward(x):
        return model.norm(x @ model.layer.weight.t() + model.layer.bias) * model.scale * factor

    return forward


@pytest.mark.parametrize("scale", [1e-9, 1.0])
def test_a_distance_is_relative_to_the_output(scale):
    """Small outputs that are wrong are as wrong as large ones."""
    wrong = compared(target(scale), lambda it: other_arithmetic(it.model, 1.5))
    right = compared(target(scale), lambda it: other_arithmetic(it.model))
    assert wrong["differences"][0]["eager"] == pytest.approx(0.5, rel=0.1)
    assert right["differences"][0]["eager"] < CLOSE


def test_a_gradient_of_rounding_alone_is_explained_by_it():
    """Float64 has another one, too; what differs otherwise still counts."""

    def trained(factor):
        def compile(it):
            it.run._forward = other_arithmetic(it.model, factor)
            return it.run

        (found,) = compared(target(trains=True), compile)["differences"]
        return found

    assert trained(1.0)["eager"] < CLOSE
    assert trained(1.1)["eager"] > 0.1


def test_a_buffer_is_compared():
    """Running statistics that are not updated are wrong results."""

    def compile(it):
        def forward(x):
            kept = [value.clone() for value in it.model.buffers()]
            made = it.model(x)
            for value, before in zip(it.model.buffers(), kept, strict=True):
                value.data.copy_(before)
            return made

        return forward

    assert compared(target(), compile)["differences"][0]["eager"] == pytest.approx(1.0)


@pytest.mark.parametrize("requires", (True, False))
def test_gradients_are_compared_where_a_call_asks_for_them(requires):
    """An output may be right where its gradient is not."""

    def compile(_it):
        return lambda x: (x * 2).detach() + x - x.detach() if requires else x * 2

    given = Arguments((torch.ones(2, requires_grad=requires),))
    doubled = Target(lambda x: x * 2, None, (given,), False, lambda: doubled)
    (found,) = compared(doubled, compile, gradients=True)["differences"]
    assert is_wrong(found) is requires
    assert not is_wrong(*compared(doubled, lambda _: lambda x: x * 2)["differences"])
    if requires:
        assert found["part"] == "the gradient of argument 0"


class Dropped(Model):
    def forward(self, x):
        """Take random numbers, of which float64 takes others."""
        return super().forward(x) * (torch.rand(4) > 0.1)


def dropped():
    """A target that learns and takes random numbers."""
    torch.manual_seed(0)
    model = Dropped(1.0)
    return Target(model, model, (call(torch.rand(8, 4)),), False, again=dropped)


def test_a_gradient_of_rounding_alone_is_not_wrong_where_random_numbers_are_taken():
    """The bias before a normalization has no gradient but what its rounding makes."""

    def compile(it):
        def forward(x):
            weight, bias = it.model.layer.weight.t(), it.model.layer.bias
            halves = x[:, :2] @ weight[:2] + x[:, 2:] @ weight[2:]
            return it.model.norm(halves + bias) * (torch.rand(4) > 0.1)

        return forward

    (found,) = compared(dropped(), compile, gradients=True)["differences"]
    assert not is_wrong(found)


def of_numbers(run, *numbers, **options):
    """A target with one call, on numbers."""
    given = Arguments((torch.tensor(numbers, **options),))
    return Target(run, None, (given,), False, lambda: of_numbers(run, *numbers, **options))


def test_a_number_in_place_of_nan_is_infinitely_wrong():
    """The distance is kept as JSON has it."""
    times_zero = of_numbers(lambda x: x * 0, float("nan"), float("inf"), 1.0)
    (found,) = compared(times_zero, lambda _: torch.zeros_like)["differences"]
    assert is_wrong(found)
    assert from_json(json.loads(json.dumps(found, allow_nan=False))["eager"]) == float("inf")


def test_an_overflow_of_eager_mode_alone_is_rounding():
    """Compiled code that rounds less often stays nearer to float64's."""

    def squared(x):
        return x * x / x

    def wrong(*numbers):
        half = of_numbers(squared, *numbers, dtype=torch.float16)
        compiled = compared(half, lambda _: lambda x: squared(x.float()).half() * factor)
        return is_wrong(*compiled["differences"])

    factor = 1.0
    assert not wrong(300.0, 3.0)
    for factor in (2.0, float("inf"), float("nan")):  # noqa: B007
        assert wrong(300.0, 3.0)


@pytest.mark.parametrize(
    ("number", "dtype", "made", "wrong"),
    (
        (1e-40, torch.float32, 0.0, False),
        (1e-40, torch.bfloat16, 0.0, False),
        (1e-40, torch.float32, 1e-36, True),
        (1e-5, torch.float16, 0.0, True),
        (1e-40, torch.float64, 0.0, True),
    ),
)
def test_only_what_a_gpu_flushes_may_become_zero(number, dtype, made, wrong):
    """Float32 below its smallest normal number, which is bfloat16's as well."""
    tiny = of_numbers(torch.clone, number, dtype=dtype)
    (found,) = compared(tiny, lambda _: lambda x: torch.full_like(x, made))["differences"]
    assert is_wrong(found) is wrong


class Heads(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.unused = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)

    def forward(self, x):
        """Compute one output of two."""
        return self.used(x)


def with_heads():
    """A target that learns, with a parameter that nothing uses."""
    torch.manual_seed(0)
    model = Heads()
    return Target(model, model, (call(torch.ones(1, 2)),), False, again=with_heads)


@pytest.mark.parametrize(("factor", "told"), ((1.0, ", all zero"), (2.0, "")))
def test_a_gradient_of_zeros_hides_no_wrong_value(factor, told):
    """It is told if all else is right."""

    def compile(it):
        return lambda x: it.model(x) * factor + 0 * it.model.unused.weight.sum()

    (found,) = compared(with_heads(), compile, gradients=True)["differences"]
    assert is_wrong(found)
    assert found.get("kind", "").endswith(told) and bool(found.get("kind")) is bool(told)


def test_an_output_that_no_longer_shares_memory_is_wrong():
    """A view that becomes a copy is another thing to whoever writes to it."""
    given = Arguments((torch.ones(2, 3),))
    viewed = Target(lambda x: x.T, None, (given,), False, lambda: viewed)
    (found,) = compared(viewed, lambda _: lambda x: x.T.clone())["differences"]
    assert is_wrong(found)
    assert found["kind"] == "output does not share memory with argument 0; in eager mode, it does"


def test_another_structure_cannot_be_subtracted():
    """It has no distance."""
    found = compared(target(), lambda it: lambda x: (it.model(x),))
    assert found["differences"][0]["eager"] is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda y: y.bfloat16(), "output is bfloat16[8, 4] that requires gradients"),
        (lambda y: y.detach(), "output is float32[8, 4]"),
    ],
)
def test_another_dtype_and_a_lost_gradient_are_told(changed, said):
    """However near the values are: float64 excuses neither."""
    (found,) = compared(target(), lambda it: lambda x: changed(it.model(x)))["differences"]
    eager = "in eager mode, it is float32[8, 4] that requires gradients"
    assert found == {"call": 0, "eager": None, "noise": 0.0, "kind": f"{said}; {eager}"}


class Centred(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(()))
        self.register_buffer("square", torch.zeros(()))
        self.register_buffer("mask", torch.full((2,), torch.finfo(torch.float32).min))

    def forward(self, x):
        """Keep a mean that cancels, and one that does not."""
        centred = x - x.mean()
        self.mean.add_(centred.mean() + 2**-40)
        self.square.add_(centred.square().mean())
        return centred


def centred():
    """A target whose buffer is rounding alone; another has the largest of numbers."""
    torch.manual_seed(0)
    model = Centred()
    return Target(model, model, (call(torch.tensor([1.0, -1.0])),), False, again=centred)


@pytest.mark.parametrize(("error", "wrong"), ((1e-9, False), (2e-6, False), (1e-4, True)))
def test_a_buffer_that_is_rounding_alone_is_explained_by_what_cancels(error, wrong):
    """A mean of what is centred has no digit that counts."""

    def compile(it):
        def forward(x):
            made = it.model(x)
            it.model.mean.add_(error)
            return made

        return forward

    assert is_wrong(*compared(centred(), compile)["differences"]) is wrong


@pytest.mark.parametrize(
    ("drew", "raised", "told"),
    ((True, None, 0.0), (False, None, 1.0), (True, {"message": "cannot be cut"}, 1.0)),
)
def test_what_differs_by_random_numbers_is_compared_without_compiling_them(
    monkeypatch, drew, raised, told
):
    """The window keeps its ranges; where it cannot be compiled, the first answer stands."""
    tried = []

    def stand_in(target, compile, wanted, gradients):
        backend = compile(target)["backend"]
        tried.append(backend)
        apart = isinstance(backend, Window) and not backend.random
        found = {"call": 0, "eager": 0.0 if apart else 1.0, "noise": 0.0, "part": "output"}
        return {"differences": [found], "raised": raised if apart else None, "drew": drew}

    monkeypatch.setattr("validators.inspector.differences.comparison.compared", stand_in)
    options = {"backend": Window("inductor", [(2, 5)])}
    (found,) = compared_as_drawn(target(), options, lambda _, it: it)["differences"]
    assert found["eager"] == told
    assert {tuple(it.ranges) for it in tried} == {((2, 5),)}
