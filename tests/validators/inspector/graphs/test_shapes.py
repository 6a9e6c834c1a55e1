"""What the user calls an argument whose sizes vary."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.graphs.marks import shapes
from validators.inspector.graphs.shapes import changing, peers, varying
from validators.inspector.loading.target import Target
from validators.probes.arguments import Arguments


def target(run, calls) -> Target:
    """A function with its calls."""
    made = tuple(calls)
    return Target(run, None, made, trains=False, again=lambda: target(run, calls))


def takes(batch, *others):
    """Has a parameter with a name, and others without."""


@pytest.mark.parametrize(
    ("given", "name", "path"),
    [
        (lambda x: Arguments((x,)), "batch", "0"),
        (lambda x: Arguments((), {"batch": x}), "batch", "batch"),
        (lambda x: Arguments(({"x": x},)), 'batch["x"]', '0["x"]'),
        (lambda x: Arguments((), {"batch": {"x": [x]}}), 'batch["x"][0]', 'batch["x"][0]'),
        (lambda x: Arguments(({"a.b": x},)), 'batch["a.b"]', '0["a.b"]'),
        (lambda x: Arguments(([1, x],)), "batch[1]", "0[1]"),
        (lambda x: Arguments((1, x)), "the second argument", "1"),
        (lambda x: Arguments((1, [x])), "[0] of the second argument", "1[0]"),
        (lambda x: Arguments(({2: x},)), "batch[2]", "0[2]"),
    ],
)
def test_an_argument_is_named_as_code_gets_it(given, name, path):
    """Also inside of dicts and lists."""
    (found,) = varying(target(takes, [given(torch.ones(n, 4)) for n in (2, 3)]))
    assert (found["name"], found["path"], found["dim"]) == (name, path, 0)


def test_an_argument_of_another_rank_is_told():
    """Its dims cannot be compared."""
    calls = [Arguments((torch.ones(2, 4),)), Arguments((torch.ones(2, 3, 4),)), Arguments((None,))]
    (found,) = changing(target(takes, calls))
    assert found == {"name": "batch", "without": [2], "dims": [2, 3]}


def test_marks_for_which_time_is_short_are_left_out():
    """What was tried by then is told."""
    calls = [Arguments((torch.ones(size, 3),)) for size in (2, 4)]
    found = shapes(target(torch.sin, calls), {}, 1e-9)
    assert (found["graphs"], found["late"], found["varying"][0]["marks"]) == (2, True, {})
    found = shapes(target(torch.sin, calls), {})
    assert (found["late"], found["varying"][0]["marks"]["mark_dynamic"]["graphs"]) == (False, 1)


def test_a_tensor_that_some_calls_lack_is_marked_with_its_peers():
    """It joins a size that varies, and only one call shows its own."""

    def run(x, mask=None):
        return x if mask is None else x * mask

    calls = [Arguments((torch.ones(2, 3),)), Arguments((torch.ones(4, 3), torch.ones(4, 3)))]
    (group,) = shapes(target(run, calls), {})["varying"]
    assert group["dims"] == [("0", 0), ("1", 0)]
    assert group["optional"] == ["1"]
    assert peers(target(run, calls), [2, 5]) == []
