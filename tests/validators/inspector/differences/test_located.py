"""Where a wrong result comes from."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from validators.inspector.differences.located import located
from validators.inspector.differences.program import program_of
from validators.inspector.differences.window import smallest
from validators.inspector.loading.target import Target
from validators.probes.arguments import call

LIMIT = {"seconds": 300.0}


class WarmUp(torch.nn.Module):
    """A buffer that changes before it is read: its gradient is wrong from torch 2.8 on."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x):
        """Scale by a counter."""
        y = torch.relu(x) + 1
        self.steps += 1
        return torch.relu(y * self.steps)


def of_model():
    """A target with two calls."""
    model = WarmUp()
    calls = tuple(call(torch.ones(4, requires_grad=True)) for _ in range(2))
    return Target(model, model, calls, False, again=of_model)


def of_function(run, *calls):
    """A target without a model."""
    return Target(run, None, calls, False, again=lambda: of_function(run, *calls))


def counted(total, step):
    """Write to a float64 scalar, which keeps its old value from torch 2.7 to 2.13."""
    total.add_(step)


def clipped(x, bound):
    """Have a bound that differs from call to call."""
    return x.clamp(max=bound) * 2


def by_queries(q, k, v):
    """Let queries compete, which Inductor takes for attention up to torch 2.14."""
    return torch.relu((q @ k.transpose(-2, -1) * 0.25).softmax(-2) @ v)


@pytest.mark.parametrize(
    ("bad", "window"),
    (({3}, (3, 4)), ({2, 5}, (2, 6)), ({0}, (0, 1)), ({7}, (7, 8)), (set(), None)),
)
def test_the_smallest_window_holds_all_that_trouble_needs(bad, window):
    """One op may do it alone, or two that are apart."""

    def shows(first, last):
        return bool(bad) and bad <= {*range(first, last)}

    assert smallest(8, shows) == window


def test_a_compiler_before_inductor_is_named_with_its_ops():
    """AOTAutograd computes a gradient with a buffer as it stands afterwards."""
    found = located(of_model(), {}, {"wrong": 0, **LIMIT})
    assert (found["right"], found["backend"], found["cached"]) == ("eager", "aot_eager", False)
    assert found["ops"] == ["iadd", "mul"]
    assert found["apart"]
    assert "self.steps)" in found["stack"]


def test_code_that_a_cache_gives_back_is_named():
    """A cold cache makes the same calls right."""
    calls = [call(torch.ones(4, requires_grad=True), it) for it in (0.25, 0.2, 0.15)]
    found = located(of_function(clipped, *calls), {}, {"wrong": 2, **LIMIT})
    assert found["cached"]
    assert [it["setting"] for it in found["avoided"]] == [
        "torch._functorch.config.enable_autograd_cache = False",
        "torch._inductor.config.fx_graph_cache = False",
    ]


@pytest.mark.slow
def test_a_pass_of_inductor_is_named_and_avoided():
    """One setting of many is right."""
    given = call(*(torch.randn(1, 2, tokens, 16) for tokens in (3, 8, 8)))
    found = located(of_function(by_queries, given), {}, {"wrong": 0, **LIMIT})
    assert (found["backend"], found["subsystem"]) == ("inductor", "joint_graph_passes")
    assert found["ops"] == ["transpose", "matmul", "mul", "softmax", "matmul"]
    (avoided,) = found["avoided"]
    assert avoided["setting"] == "torch._inductor.config.pattern_matcher = False"
    assert found["tried"] > 10
    assert "softmax = mul.softmax(-2)" in found["program"]
    ran = subprocess.run([sys.executable, "-c", found["program"]], capture_output=True, text=True)
    assert "AssertionError" in ran.stderr


def traced(run, *given):
    """The graph that Dynamo traces."""
    graphs = []
    torch._dynamo.reset()
    torch.compile(run, backend=lambda graph, _: graphs.append(graph) or graph.forward)(*given)
    return graphs[0]


def test_a_program_is_kept_if_it_shows_something():
    """Code that is right when it is compiled needs none."""
    assert program_of(traced(torch.sin, torch.ones(2)), "aot_eager") == ""
    graph = traced(counted, torch.zeros((), dtype=torch.float64), torch.ones(()))
    text = program_of(graph, "aot_eager")
    assert "def f(l_total_, l_step_):" in text
    assert "torch.randn((), dtype=torch.float64)," in text
    assert "backward" not in text


@pytest.mark.skipif(torch.__version__ >= "2.14", reason="torch 2.14 multiplies")
def test_a_program_holds_nan_where_nothing_else_shows_the_error():
    """On torch 2.8 to 2.13, Inductor takes anything times zero for zero."""
    times_zero = of_function(lambda x: x * 0, call(torch.tensor([float("nan"), 1.0])))
    found = located(times_zero, {}, {"wrong": 0, **LIMIT})
    assert found["ops"] == ["mul"]
    assert 'torch.full((2,), float("nan")),' in found["program"]


def test_what_is_right_has_no_place():
    """Nothing is tried but the compilers."""
    found = located(of_function(torch.sin, call(torch.ones(2))), {}, {"wrong": 0, **LIMIT})
    assert (found["backend"], found["tried"], found["late"]) == ("", 0, False)


def test_what_time_allows_is_kept():
    """No trial begins after that."""
    found = located(of_model(), {}, {"wrong": 0, "seconds": 0.0})
    assert found["late"]
