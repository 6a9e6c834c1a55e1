import tempfile

import torch
import torch.distributed as dist

from validators.probes import observe


def gather_beside_compute(x):
    gathered = torch.empty_like(x)
    handle = dist.all_gather_into_tensor(gathered, x * 2, async_op=True)
    y = x.sigmoid()
    handle.wait()
    return gathered + y


def gather(x):
    gathered = torch.empty_like(x)
    dist.all_gather_into_tensor(gathered, x * 2)
    y = x.sigmoid()
    return gathered + y


def run(forward):
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            return observe(forward, [(torch.arange(4.0),)] * 2, compare=["eager"])
        finally:
            dist.destroy_process_group()


def symptom(device):
    return run(gather_beside_compute)


def remedy(device):
    return run(gather)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    ops = {op for graph in report.graphs for op in graph.targets}
    gathers = any("all_gather_into_tensor" in op for op in ops)
    if not report.graph_breaks:
        assert gathers and len(report.graphs) == 1, report.graphs
        return False
    assert not gathers, ops
    return "GB0172" in report.break_ids
