"""What `kernels` tells: the terminal, the difference of two targets, what is undecided."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from validators.compiled.compare import changes
from validators.compiled.render import differences, lines
from validators.compiled.results import Compiled
from validators.compiled.undecided import undecided

ONE = {"warps": 2, "registers": 24, "spills": 0, "shared": 8}
SPILLING = {"warps": 8, "registers": 255, "spills": 14, "shared": 2048}
KERNEL = {
    "name": "triton_poi_fused_add_0",
    "launches": 1,
    "configurations": [ONE],
    "source": "x = 1",
}
GRAPH = {
    "kind": "inference",
    "kernels": [KERNEL],
    "externs": ["mm"],
    "partitions": 0,
    "peak": 4096,
}
FOUND: dict[str, Any] = {
    "target": "model.py:example",
    "torch": "2.15.0+cu132",
    "arch": "sm_90",
    "board": "A board",
    "calls": 1,
    "trains": False,
    "graphs": [{"ops": 2, "file": "model.py", "line": 7}],
    "breaks": [],
    "compiled": [GRAPH],
    "skips": {},
    "recordable": [],
    "invented": [],
    "raised": None,
}


def found(**changed: Any) -> Compiled:
    """A target that was compiled, with some of it changed."""
    it: Compiled = msgspec.convert({**FOUND, **changed}, Compiled)
    it.undecided = list(undecided(it))
    return it


def plain(told: Any) -> str:
    """Lines without their styles."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in told)


def test_a_decided_target_is_told() -> None:
    """Graphs, kernels in aligned columns, library calls; that it never ran stands at the top."""
    assert (
        plain(lines(found(), sources=False))
        == """\
model.py:example on torch 2.15.0+cu132, 1 call
compiled for sm_90 (A board), never run
graph of 2 ops, model.py:7

compiled graph 1 (inference): 1 kernel launch, 1 library call, planned peak 4 KiB
  kernel                      warps  registers     spills     shared
  triton_poi_fused_add_0          2         24          0        8 B
  library: mm

CUDA graphs: not asked for (--mode reduce-overhead)
decided: nothing here rests on an answer that only a GPU has"""
    )


def test_configurations_of_a_kernel_are_rows() -> None:
    """The clock chooses one, so all are told, and that it is undecided."""
    kernel = {**KERNEL, "launches": 3, "configurations": [ONE, SPILLING]}
    clock = {"kind": "clock", "what": "the launch configuration of a kernel", "count": 2}
    it = found(compiled=[{**GRAPH, "kernels": [kernel]}], invented=[clock])
    said = plain(lines(it, sources=False)).splitlines()
    assert said[6:8] == [
        "  triton_poi_fused_add_0 x3          2         24          0        8 B",
        "  or                                 8        255         14      2 KiB",
    ]
    sentence = "undecided: a clock decides the launch configuration of a kernel (asked 2 times)"
    assert said[-1] == sentence


def test_sources_are_told_when_asked_for() -> None:
    """They are long."""
    assert "x = 1" not in plain(lines(found(), sources=False))
    assert "  triton_poi_fused_add_0\n  x = 1\n" in plain(lines(found(), sources=True))


def test_cudagraphs_are_told() -> None:
    """What would be recorded, and torch's reason not to."""
    row = {"mode": "inference", "inputs": 3, "static": 2, "mutated": 0, "skipped": ""}
    skipped = {**row, "skipped": "skipping cudagraphs due to mutated inputs"}
    reason = "skipping cudagraphs due to mutated inputs (1 instances).\n  Found from x.add_(1)"
    said = plain(lines(found(recordable=[row, skipped], skips={reason: 2}), sources=False))
    assert "CUDA graphs: 1 graph to record\n  inference: 3 inputs, 2 static, 0 mutated\n" in said
    assert (
        "  skipped x2: skipping cudagraphs due to mutated inputs (1 instances). Found from" in said
    )


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (
            {"invented": [{"kind": "value", "what": "aten.nonzero.default", "count": 1}]},
            "a tensor's value is asked for by aten.nonzero.default",
        ),
        (
            {"invented": [{"kind": "memory", "what": "torch.cuda.mem_get_info", "count": 1}]},
            "free or used memory is asked for by torch.cuda.mem_get_info",
        ),
        (
            {"invented": [{"kind": "replay", "what": "torch.cuda.CUDAGraph", "count": 1}]},
            "a recorded graph is asked for by torch.cuda.CUDAGraph",
        ),
        (
            {
                "raised": {
                    "type": "torch._inductor.exc.InductorError",
                    "message": "OutOfResources: shared memory\nSet TORCHDYNAMO_VERBOSE=1",
                    "call": 1,
                    "break_id": "",
                }
            },
            "call 1 raises InductorError, and what comes after is not seen: "
            "OutOfResources: shared memory",
        ),
        (
            {"breaks": [{"type": "Backend compiler exception", "reason": "it raised"}]},
            "the compiler raises, and the call goes on without it; a GPU may not see that",
        ),
    ],
)
def test_what_needs_a_gpu_is_undecided(changed, reason) -> None:
    """With the reason; exceptions of the backend, too, for the device may have caused them."""
    assert found(**changed).undecided == [reason]


def test_graphs_to_record_are_compared() -> None:
    """A skip and what is recorded without it."""
    row = {"mode": "inference", "inputs": 3, "static": 2, "mutated": 0, "skipped": ""}
    it, other = found(skips={"a reason": 1}), found(recordable=[row])
    seen = [(it.what, it.target, it.against) for it in changes(it, other)]
    assert seen == [("CUDA graphs to record", "0", "1"), ("CUDA graphs skipped", "1", "0")]


def test_other_graph_breaks_are_decided() -> None:
    """Dynamo needs no GPU for them."""
    broken = [{"type": "Data-dependent branching", "reason": "a branch on a tensor"}]
    it = found(breaks=broken)
    assert it.undecided == []
    assert "graph break: Data-dependent branching" in plain(lines(it, sources=False))


def test_what_differs_is_told() -> None:
    """Counts and sizes, then the kernels and library calls that only one of both has."""
    other = {**KERNEL, "name": "triton_poi_fused_mul_1", "configurations": [ONE, SPILLING]}
    graph = {**GRAPH, "kernels": [KERNEL, other], "externs": [], "peak": 8192}
    seen = [(it.what, it.target, it.against) for it in changes(found(), found(compiled=[graph]))]
    assert seen == [
        ("kernel launches", "1", "2"),
        ("library calls", "1", "0"),
        ("most registers of a thread", "24", "24 to 255"),
        ("most spilled words of a thread", "0", "0 to 14"),
        ("most shared memory of a block", "8 B", "8 B to 2 KiB"),
        ("largest planned peak", "4 KiB", "8 KiB"),
        ("library call mm", "1", "0"),
        ("kernel triton_poi_fused_mul_1", "0", "1"),
    ]


def test_differences_are_a_table() -> None:
    """Its head names both targets; equal ones get one sentence."""
    it, other = found(), found(compiled=[{**GRAPH, "externs": []}])
    told = differences("model.py:a", "model.py:b", list(changes(it, other)))
    assert plain(told).splitlines() == [
        "                 model.py:a  model.py:b",
        "library calls    1           0",
        "library call mm  1           0",
    ]
    assert plain(differences("a", "b", [])) == "a and b are compiled to the same"
