import ctypes

import torch

from validators.probes import observe


def kernel(x):
    """What an extension in C++ does: it takes addresses, and nobody can look through that."""
    x = x.contiguous()
    out = torch.empty_like(x)
    ctypes.memmove(out.data_ptr(), x.data_ptr(), x.numel() * x.element_size())
    return out


def model(x):
    return torch.ops.casebook_mine.smooth(x.relu()) + 1


def arm(device, key, fake):
    library = torch.library.Library("casebook_mine", "DEF")
    library.define("smooth(Tensor x) -> Tensor")
    library.impl("smooth", kernel, key)
    if fake:
        torch.library.register_fake("casebook_mine::smooth", torch.empty_like, lib=library)
    x = torch.randn(3, 4, device=device)
    return observe(model, [(x,)], backend="aot_eager", fullgraph=True, compare=("eager",))


def symptom(device):
    return arm(device, "CompositeImplicitAutograd", fake=False)


def remedy(device):
    return arm(device, "CPU", fake=True)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    (graph,) = report.graphs
    assert sum("smooth" in target for target in graph.targets) == 1, graph.targets
    assert report.calls[0].difference.eager == 0, report.calls
    return False
