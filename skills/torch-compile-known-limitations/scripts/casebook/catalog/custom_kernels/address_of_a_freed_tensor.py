import ctypes
import gc

import torch

from validators.probes import observe


@torch.compiler.disable
def launch(target, source, size):
    """Stands for a kernel that is started with addresses; it looks before it reads."""
    owned = {it.data_ptr() for it in gc.get_objects() if type(it) is torch.Tensor}
    if source not in owned:
        raise LookupError("no tensor owns the memory that the kernel was given")
    ctypes.memmove(target, source, size)


def scaled(x):
    source = x.relu()
    result = torch.zeros_like(source)
    launch(result.data_ptr(), source.data_ptr(), source.nbytes)
    return result * 2


def copy(source):
    result = torch.zeros_like(source)
    launch(result.data_ptr(), source.data_ptr(), source.nbytes)
    return result


copy_as_op = torch.library.custom_op(
    "casebook::copy_by_address", copy, mutates_args=(), schema="(Tensor source) -> Tensor"
)
copy_as_op.register_fake(torch.zeros_like)


def scaled_by_op(x):
    return copy_as_op(x.relu()) * 2


def arm(function, device):
    torch.manual_seed(0)
    x = torch.randn(4, 8, device=device)
    function(x)  # In eager mode a tensor owns the memory, or this raises.
    return observe(function, [(x,)], compare=["eager"])


def symptom(device):
    return arm(scaled, device)


def remedy(device):
    return arm(scaled_by_op, device)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.message.startswith("no tensor owns the memory"), caught
        return len(report.graphs) == 1 and len(report.graph_breaks) == 1
    (graph,) = report.graphs
    assert sum("copy_by_address" in target for target in graph.targets) == 1, graph.targets
    assert report.calls[0].difference.eager == 0 and not report.graph_breaks, report
    return False
