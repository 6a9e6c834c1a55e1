"""What a script watches for, with stand-ins for the compiler: nothing is compiled here."""

from __future__ import annotations

import importlib

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.torch]


@pytest.fixture
def torch():
    """torch, imported only where tests that need it run."""
    return importlib.import_module("torch")


@pytest.fixture
def wrong(torch, monkeypatch):
    """Calls `wrong_results` on a model with dropout; the "compiler" calls `changed`."""
    watching = importlib.import_module("validators.inspector.reducing.reproducer")

    def make():
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout(0.5))

    def calls():
        torch.manual_seed(0)
        return [((torch.randn(n, 3),), {}) for n in (2, 4)]

    def run(changed, loss=None):
        def compiled(model, **_options):
            return lambda x: changed(model, x)

        monkeypatch.setattr(torch, "compile", compiled)
        return watching.wrong_results(make, calls, loss, {})

    return run


def test_equal_results_are_no_failure(wrong):
    """Random numbers are the same on both sides, and rounding is allowed."""
    assert wrong(lambda model, x: model(x)) == []
    assert wrong(lambda model, x: model(x), loss=lambda y: y.sum()) == []
    assert wrong(lambda model, x: model(x) + 1e-6) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda model, x: model(x) * 2, "differs from eager by 1"),
        (lambda model, x: model(x)[:1], "in kind"),
        (lambda model, x: model(x).bfloat16(), "in kind"),
        (lambda model, x: model(x) + float("nan"), "e+29"),
        (lambda model, x: (model(x), x.add_(1))[0], "differs from eager by"),
    ],
    ids=["values", "shapes", "dtypes", "nan", "a mutated input"],
)
def test_other_results_are_a_failure(wrong, changed, said):
    """In every call that differs."""
    found = wrong(changed)
    assert len(found) == 2
    assert all(said in it for it in found)


def test_other_gradients_are_a_failure(wrong):
    """Where the outputs are the same."""

    def changed(model, x):
        output = model(x)
        return output.detach() + (output - output.detach()) * 3

    assert wrong(changed) == []
    assert wrong(changed, loss=lambda y: y.square().sum())


@pytest.mark.parametrize(
    "text",
    ["torch.randn(2, 3)", "torch.randn(3, 2).t()", "torch.randn(1, 3).expand(2, 3)"],
)
def test_a_tensor_is_made_anew_with_its_layout(torch, text):
    """Shape, strides, dtype and gradient."""
    writer = importlib.import_module("validators.inspector.reducing.expression").Writer({})
    for kind in (torch.float32, torch.bfloat16, torch.int32, torch.bool):
        value = eval(text) > 0 if kind == torch.bool else eval(text).to(kind)
        made = eval(writer.text(value))
        assert made.shape == value.shape
        assert made.stride() == value.stride()
        assert made.dtype == value.dtype
