import tempfile

import torch
import torch.distributed as dist

from validators.probes import captured_facts


def overlapped(x):
    y = x * 2
    work = dist.all_reduce(y, async_op=True)
    z = x + 1
    work.wait()
    return y + z


def synchronous(x):
    y = x * 2
    dist.all_reduce(y)
    z = x + 1
    return y + z


def compiled(function):
    """One call, in a group of one process."""
    collectives = []

    def backend(graph, inputs):
        called = [str(node.target) for node in graph.graph.nodes if node.op == "call_function"]
        collectives.append(sum("c10d" in name and "all_reduce" in name for name in called))
        return graph.forward

    x = torch.arange(4.0)
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            result = torch.compile(function, backend=backend)(x)
            right = torch.equal(result, function(x))
        finally:
            dist.destroy_process_group()
    return {"graphs": len(collectives), "all_reduce_in_graphs": sum(collectives), "right": right}


def symptom(device):
    return captured_facts(call=lambda: compiled(overlapped))


def remedy(device):
    return captured_facts(call=lambda: compiled(synchronous))


def shows(report):
    found = report.facts["call"]
    split = {"graphs": 3, "all_reduce_in_graphs": 0, "right": True}
    assert found in (split, {"graphs": 1, "all_reduce_in_graphs": 1, "right": True}), found
    return found == split
