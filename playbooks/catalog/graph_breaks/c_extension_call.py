import bisect

import torch

from validators.probes import observe

EDGES = [0.25, 0.5, 1.0, 2.0]


def noise_bin_of_extension(level):
    """Stands for a kernel with a pybind11 binding: here, a C function of the standard library."""
    return bisect.bisect_right(EDGES, level)


noise_bin = torch.library.custom_op(
    "casebook::noise_bin",
    lambda level: torch.tensor(noise_bin_of_extension(level), device=level.device),
    mutates_args=(),
    schema="(Tensor level) -> Tensor",
)


@noise_bin.register_fake
def _(level):
    return level.new_empty((), dtype=torch.int64)


def denoise_by(binned):
    return lambda x, level: (x.relu() * binned(level)).tanh()


def inputs(device):
    return torch.ones(4, device=device), torch.tensor(0.7, device=device)


def symptom(device):
    return observe(denoise_by(noise_bin_of_extension), [inputs(device)] * 2, compare=["eager"])


def remedy(device):
    return observe(denoise_by(noise_bin), [inputs(device)] * 2, compare=["eager"])


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    if report.graph_breaks:
        return len(report.graphs) > 1
    ops = [graph.targets.get("casebook.noise_bin.default", 0) for graph in report.graphs]
    assert ops == [1], report.graphs
    return False
