import torch
from torch.func import hessian, jacrev, vmap

from validators.probes import observe


def energy(point):
    return ((1 - point[0]) ** 2 + 100 * (point[1] - point[0] ** 2) ** 2).sin()


def forward_over_reverse(points):
    return vmap(hessian(energy))(points)


def reverse_over_reverse(points):
    return vmap(jacrev(jacrev(energy)))(points)


def curvature(device, function, **options):
    torch.manual_seed(0)
    points = torch.randn(5, 2, device=device)
    return observe(function, [(points,)], backend="inductor", compare=("eager",), **options)


def symptom(device):
    # `eager`: where it breaks the graph, nothing is left to compile.
    return curvature(device, forward_over_reverse, eager=True)


def remedy(device):
    return curvature(device, reverse_over_reverse)


def shows(report):
    if report.exception is None:
        assert report.calls[0].difference.eager < 1e-3, report.calls
    return report.exception is not None or bool(report.graph_breaks)
