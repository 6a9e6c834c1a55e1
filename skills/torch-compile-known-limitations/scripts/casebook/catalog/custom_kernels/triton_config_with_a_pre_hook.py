from unittest import mock

import torch
import triton
import triton.language as tl
from torch.utils import _triton

from validators.probes import captured_facts


@triton.jit
def add_rows(rows, sums, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    tl.atomic_add(sums + at, tl.load(rows + tl.program_id(0) * SIZE + at))


def clear(arguments):
    arguments["sums"].zero_()


def tuned(pre_hook=None):
    config = triton.Config({"SIZE": 64}, num_warps=4, pre_hook=pre_hook)
    return triton.autotune([config], key=[])(add_rows)


cleared_by_hook, cleared_by_caller = tuned(clear), tuned()


def sum_by_hook(rows):
    sums = torch.empty_like(rows[0])
    cleared_by_hook[(rows.shape[0],)](rows, sums)
    return sums


def sum_by_caller(rows):
    sums = torch.zeros_like(rows[0])
    cleared_by_caller[(rows.shape[0],)](rows, sums)
    return sums


def launches(step, device):
    """How often the graph launches a kernel. It is not run, and so no GPU is needed."""
    graphs = []

    def keep(graph, inputs):
        graphs.append(graph)
        return lambda *inputs: (torch.zeros(64),)

    with mock.patch.object(_triton, "has_triton", lambda **options: True):
        torch.compile(step, backend=keep, fullgraph=True)(torch.ones(8, 64, device=device))
    targets = [str(node.target) for graph in graphs for node in graph.graph.nodes]
    return sum(target.startswith("triton_kernel_wrapper") for target in targets)


def symptom(device):
    return captured_facts(launches=lambda: launches(sum_by_hook, device))


def remedy(device):
    return captured_facts(launches=lambda: launches(sum_by_caller, device))


def shows(report):
    if "launches" in report.facts:
        assert report.facts["launches"] == 1, report.facts
        return False
    assert report.facts["launches.exception"] == "torch._dynamo.exc.Unsupported", report.facts
    said = report.facts["launches.message"]
    assert "pre_hook and post_hook are not supported in triton.Autotune or triton.Config" in said, (
        said
    )
    return True
