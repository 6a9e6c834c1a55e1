"""Who called a function that compiles again, and which argument its guard is on."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.graphs.breaks import breaks
from validators.inspector.graphs.callers import argument_of, span_of
from validators.inspector.loading.target import Target
from validators.probes.arguments import Arguments

SOURCE = """import functools


class Layer:
    @functools.cache
    def forward(self, x, *, mask=None):
        y = x + 1
        return y if mask is None else y * mask


top = 1
"""


@pytest.fixture
def file(tmp_path):
    """The name of a file of code."""
    path = tmp_path / "layer.py"
    path.write_text(SOURCE)
    return str(path)


@pytest.mark.parametrize(
    ("guard", "argument"),
    [
        ("0/1: mask is None  # return y if mask is None", "mask"),
        ("0/0: L['self'].scale == 2", "self"),
        ("0/0: self._modules['m'].active == 'second'", "self"),
        ("tensor 'x' dtype mismatch. expected Float, actual Half", "x"),
        ("0/1: expected type of 'mask' to be a tensor type, but found <class 'NoneType'>", "mask"),
        ("0/1: len(mask) == 2", "mask"),
        ("0/1: ___check_obj_id(mask, 9)", "mask"),
        ("0/1: tensor '___stack0' size mismatch at index 0. expected 2, actual 3", ""),
        ("0/1: y == 4", ""),
        ("0/1: G['mask'] == 4", ""),
    ],
)
def test_the_argument_of_a_guard_is_named(file, guard, argument):
    """Of a function that resumes, the arguments of the one that broke."""
    plain = {"function": "forward", "file": file, "line": 6, "reasons": [guard]}
    resumed = {**plain, "function": "torch_dynamo_resume_in_forward_at_8", "line": 8}
    assert argument_of(plain) == argument_of(resumed) == argument


def test_a_function_begins_at_its_name_and_ends_with_its_body(file):
    """A line outside of functions, and a file that is not there, stand alone."""
    assert span_of(file, 7) == (6, 8)
    assert span_of(file, 11) == (11, 11)
    assert span_of("/nowhere.py", 3) == (3, 3)


def inner(x, scale):
    """What `outer` calls twice."""
    return x * scale


def outer(x, flag):
    """A break in a loop, so `inner` is compiled by itself for each of two scales."""
    for scale in (2, 3):
        torch._dynamo.graph_break()
        x = inner(x, scale)
    return x if flag else -x


def test_a_function_compiled_twice_in_one_call_has_two_callers():
    """The arguments of the calls are the same each time."""
    calls = (Arguments((torch.ones(3), True), {}),)

    def target() -> Target:
        return Target(outer, None, calls, trains=False, again=target)

    (again,) = breaks(target(), {})["recompiles"]
    assert (again["function"], again["argument"]) == ("inner", "scale")
    assert (again["own"], again["same_call"]) == (False, True)
    first, last = span_of(__file__, outer.__code__.co_firstlineno)
    assert {"file": __file__, "first": first, "last": last} in again["callers"]
