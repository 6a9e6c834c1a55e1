"""Both sides of an example, uncompiled: what they compute, and in which grad mode they differ."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.environment import describe
from validators.runner.pairs import common_names, compare_pairs
from validators.runner.programs import ExampleJob

HEAD = "import torch\n\nx = torch.ones(3)\n"


@pytest.fixture
def case_of(tmp_path, write_case):
    """A function from two programs to a case with them as its example."""

    def make(before, after):
        body = page_with_example(HEAD + before, HEAD + after)
        write_case(tmp_path, "guards", "a", body=body)
        return load_catalog(tmp_path).by_name["a"]

    return make


def test_names_are_those_that_both_programs_assign(case_of):
    """What a function assigns is its own."""
    case = case_of("y = 1\nfor i in (1, 2):\n    z = i", "def f():\n    y = 2\nz: int = 3")
    assert common_names(case.example) == ["x", "z"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_each_grad_mode_is_compared(case_of):
    """A program that asks whether gradients are recorded computes another thing without them."""
    plain = "y = x * 2"
    cases = {
        "same": (plain, "y = x + x"),
        "no_grad": (plain, "y = x * (2 if torch.is_grad_enabled() else 3)"),
        "raises": (plain, "y = x.unknown"),
        "none": ("y = x.unknown", plain),
    }
    env = describe(sys.executable, "cpu")
    seen = {}
    for name, programs in cases.items():
        job = ExampleJob(case_of(*programs), env)
        compare_pairs([job], 1, "fork", lambda pair, name=name: seen.update({name: pair}))
    assert seen["same"].differences == seen["none"].differences == {}
    assert sorted(seen["no_grad"].differences) == ["inference_mode", "no_grad"]
    assert "values differ by 1" in seen["no_grad"].differences["no_grad"]
    assert seen["raises"].differences["grad"] == "after raises AttributeError"
