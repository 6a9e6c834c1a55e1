"""Which known chains of ops a target compiles wrongly."""

from __future__ import annotations

from collections import OrderedDict

import pytest
import torch

from validators.inspector.differences.chains import chain_name, ranges
from validators.inspector.differences.likeness import alike, names_in
from validators.inspector.differences.scan import scan
from validators.inspector.loading.target import Target
from validators.probes.arguments import call


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("torch.nn.functional.avg_pool1d", "avg_pool1d"),
        ("clip_", "clamp_"),
        ("torch.clip", "clamp"),
        ("iadd", "add_"),
        ("add_", "add_"),
        ("__add__", "add"),
        ("index_put", "index_put"),
        ("truediv", "div"),
        ("and_", "bitwise_and"),
        ("studio.turn_around", "custom op"),
        ("<attribute 'data' of 'torch._C.TensorBase' objects>", "data"),
    ],
)
def test_an_op_has_one_name(called, name):
    """However the code calls it."""
    assert chain_name(called) == name


def test_numbers_become_ranges():
    """In order, and apart."""
    assert ranges([4, 0, 1, 2, 5, 8]) == [(0, 3), (4, 6), (8, 9)]


def pooled(x):
    """Pool with a window that is not whole, whose gradient is too small since torch 2.5."""
    y = torch.nn.functional.avg_pool1d(torch.relu(x) * 3, 3, 3, ceil_mode=True)
    return torch.exp(-y).sum(-1)


def whole(x):
    """Pool with whole windows."""
    return torch.nn.functional.avg_pool1d(torch.relu(x) * 3, 3, 3).sum(-1)


WEIGHTS = {"a": 1.0, "b": 2.0}


def newest_first(x):
    """Move a key to the end, which Dynamo forgets at a graph break since torch 2.9."""
    weights = OrderedDict(WEIGHTS)
    moved(weights)
    return x * next(iter(weights.values()))


def moved(weights):
    """Have another code move it."""
    weights.move_to_end("a")
    torch._dynamo.graph_break()


def of(run):
    """A target with one call, whose argument learns."""
    calls = (call(torch.linspace(0.1, 0.8, 8).reshape(1, 1, 8).requires_grad_()),)
    return Target(run, None, calls, False, again=lambda: of(run))


def scanned(run, **programs):
    """What a scan finds."""
    return scan(of(run), {}, {"programs": {"traced": programs, "compiled": {}}, "seconds": 300.0})


def test_what_is_wrong_is_shortened():
    """To the op that is wrong, with its line; the difference is told."""
    found = scanned(pooled)
    (wrong,) = found["chains"]
    assert wrong["ops"] == ["avg_pool1d"]
    assert "ceil_mode=True" in wrong["stack"]
    assert wrong["call"] == 0
    assert "gradient" in wrong["part"]


def test_what_is_right_is_not_told():
    """Nothing of it differs."""
    found = scanned(whole)
    assert (found["chains"], found["whole"], found["traced"], found["raised"]) == ([], {}, {}, None)


def test_what_dynamo_traces_wrongly_is_compared_with_programs():
    """By names of Python and torch, not by the author's own."""
    programs = {
        "moved": "def call(d, x):\n    d.move_to_end('k')\n    return next(iter(d.values())) + x",
        "queue": "def call(q, x):\n    q.appendleft(x)\n    return q.popleft()",
    }
    found = scanned(newest_first, **programs)
    assert found["traced"]["call"] == 0
    assert found["like"] == ["moved"]


def test_a_name_of_ones_own_is_no_likeness():
    """Only what Python and torch have counts."""
    assert "weights" not in names_in("weights.cumsum(0)")
    assert "cumsum" in names_in("weights.cumsum(0)")
    assert alike(["x.cumsum(0)"], {"a": "y.cumsum(1)", "b": "y.cumprod(1)"}) == ["a"]


def test_what_eager_mode_does_not_repeat_is_not_compared():
    """Each comparison runs a target five times, and this one differs in the third."""
    runs = []

    def third(x):
        runs.append(0)
        return x * (2 if len(runs) % 5 == 3 else 1)

    assert scanned(third)["unsteady"]


class Noisy(torch.nn.Module):
    """Noise of a convolution's output, which Inductor lays out in another way."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)

    def forward(self, x):
        """Add noise of the same shape."""
        y = self.conv(x)
        return y + torch.randn_like(y)


def noisy():
    """A target whose random numbers stand in another order if they are compiled."""
    torch.manual_seed(0)
    model = Noisy()
    return Target(model, model, (call(torch.rand(2, 3, 8, 8)),), False, again=noisy)


@pytest.mark.slow
def test_random_numbers_in_another_order_are_not_told():
    """They are as random."""
    found = scan(noisy(), {}, {"programs": {"traced": {}, "compiled": {}}, "seconds": 300.0})
    assert (found["chains"], found["whole"], found["raised"]) == ([], {}, None)
