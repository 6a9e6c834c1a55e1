"""How much there was to compile: what is counted, where nothing is, and that the hooks go."""

from __future__ import annotations

import logging

import torch
from torch._inductor.scheduler import Scheduler

from tests.validators.probes.arms import ones
from validators.probes import compile_work, set_audit
from validators.probes.work import ops

CODE = """
class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[2]"):
        # No stacktrace found for following nodes
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(arg0_1, arg0_1);  arg0_1 = None
        add = torch.ops.aten.add.Tensor(mul, 1);  mul = None
        getitem: "f32[2]" = add[0];  add = None
        return (getitem,)
"""


def mlp(x: torch.Tensor) -> torch.Tensor:
    """Three ops that need a gradient if `x` does."""
    return ((x + 1).relu() * 2).sum()


def test_lines_that_call_an_op_are_counted() -> None:
    """Comments, signatures and the parts of a tuple are no ops."""
    assert ops(CODE) == 2
    assert ops("") == 0


def test_forward_and_backward_are_counted() -> None:
    """AOTAutograd compiles a backward graph where a gradient is asked for, and none elsewhere."""
    inference = compile_work(mlp, [(ones(4),)], backend="aot_eager").facts
    assert inference["forward_ops"] == [4] and inference["aot_ops"] == 4
    assert inference["backward_ops"] == inference["scheduled"] == inference["fusion_checks"] == []
    training = compile_work(mlp, [(ones(4).requires_grad_(),)], backend="aot_eager").facts
    assert training["backward_ops"] and training["backward_ops"] != [0]


def test_the_scheduler_is_counted() -> None:
    """Inductor asks whether two nodes may be fused; a lone node has nobody to be fused with."""
    calls = [(ones(4, 4),)]
    # What Inductor finds in its cache, it does not schedule.
    with torch._inductor.config.patch(force_disable_caches=True):
        two = compile_work(lambda x: (x.relu().sum(0), x.sum(1)), calls, backend="inductor")
        one = compile_work(lambda x: x.sum(0), calls, backend="inductor")
    assert two.facts["scheduled"] == [2] and two.facts["fusion_checks"] != [0]
    assert one.facts["scheduled"] == [1] and one.facts["fusion_checks"] == [0]


def test_without_aotautograd_there_is_nothing_to_count() -> None:
    """The eager backend runs Dynamo's graph as it is."""
    report = compile_work(mlp, [(ones(4),)])
    assert report.ops == 4
    assert report.facts["aot_ops"] == 0
    assert report.facts["forward_ops"] == report.facts["backward_ops"] == []
    assert report.facts["scheduled"] == report.facts["fusion_checks"] == []


def test_regions_are_counted() -> None:
    """A marked region is called by the graph that holds it; its ops count once, its calls each."""

    @torch.compiler.nested_compile_region  # type: ignore[untyped-decorator]
    def region(x: torch.Tensor) -> torch.Tensor:
        return x.sin().cos()

    def thrice(x: torch.Tensor) -> torch.Tensor:
        return region(region(region(x)))  # type: ignore[no-any-return]

    report = compile_work(thrice, [(ones(4),)], backend="aot_eager")
    assert report.facts["regions"] == [3] and report.facts["forward_ops"] == [3 + 2]
    plain = compile_work(lambda x: x.sin().cos().sin().cos(), [(ones(4),)], backend="aot_eager")
    assert plain.facts["regions"] == [0] and plain.facts["forward_ops"] == [4]


def test_the_hooks_go() -> None:
    """Nothing is left behind, and an exception or an audit has no facts."""
    before = (
        Scheduler.fuse_nodes,
        Scheduler.can_fuse,
        list(logging.getLogger("torch.__trace").handlers),
    )

    def raises(x: torch.Tensor) -> torch.Tensor:
        raise ValueError("no")

    assert compile_work(raises, [(ones(1),)]).facts == {}
    set_audit(True)
    try:
        assert compile_work(mlp, [(ones(4),)]).facts == {}
    finally:
        set_audit(False)
    assert before == (
        Scheduler.fuse_nodes,
        Scheduler.can_fuse,
        list(logging.getLogger("torch.__trace").handlers),
    )
