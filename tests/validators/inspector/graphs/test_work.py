"""The work of a pass, read from its profile."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from validators.inspector.graphs.work import is_guard, operators_of, work_of


def profiled(run, *args):
    """The outermost events of a call."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.no_grad(), torch.profiler.profile(activities=activities, record_shapes=True) as it:
        run(*args)
    return [event for event in it.events() if event.cpu_parent is None]


A, B, BATCH = torch.rand(2, 3), torch.rand(3, 5), torch.rand(7, 2, 3)


@pytest.mark.parametrize(
    ("run", "args", "work"),
    [
        (torch.mm, (A, B), 2 * 2 * 3 * 5),
        (torch.matmul, (BATCH, B), 7 * 2 * 2 * 3 * 5),
        (functional.linear, (A, B.t().contiguous(), torch.rand(5)), 2 * 2 * 3 * 5),
        (functional.conv1d, (torch.rand(2, 3, 8), torch.rand(4, 3, 1)), 2 * 2 * 8 * 3 * 4),
        (torch.add, (torch.rand(4, 1), torch.rand(5)), 20),
        (torch.relu, (A,), 6),
        (torch.transpose, (A, 0, 1), 0),
        (functional.embedding, (torch.tensor([1]), torch.rand(1000, 1)), 1),
    ],
)
def test_work_is_counted(run, args, work):
    """Products by their sizes, other ops by their elements; views and lookups cost little."""
    assert work_of(profiled(run, *args)) == work


@pytest.mark.parametrize("name", ["TorchDynamo Cache Lookup", "Pregraph bytecode"])
def test_guards_and_arguments_of_graphs_are_no_work(name):
    """They may run ops of their own."""

    def guarded(x):
        with torch.profiler.record_function(name):
            x.relu()
        return x.exp()

    events = profiled(guarded, A)
    assert work_of(events) == 6
    assert [is_guard(it) for it in events] == [True, False]


def test_custom_operators_are_those_that_are_registered():
    """Other functions have dotted names as well."""
    library = torch.library.Library("worktest", "FRAGMENT")
    library.define("twice(Tensor x) -> Tensor")
    targets = ["worktest.twice.default", "aten.relu.default", "math.floor", "relu", "a.b.c.d"]
    assert operators_of(targets) == ["worktest::twice"]
    assert operators_of(["worktest.twice"]) == ["worktest::twice"]


def test_custom_operators_in_namespaces_of_torch_are_not_torchs():
    """However they are registered."""

    @torch.library.custom_op("inductor::worktest", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    library = torch.library.Library("prims", "FRAGMENT")
    library.define("worktest(Tensor x) -> Tensor")
    targets = ["inductor.worktest.default", "prims.worktest.default", "prims.sin.default"]
    assert operators_of(targets) == ["inductor::worktest", "prims::worktest"]
