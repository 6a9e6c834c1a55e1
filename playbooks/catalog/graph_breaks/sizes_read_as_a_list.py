import torch

from validators.probes import observe


def pooled(x_TC, sizes):
    """One mean for each image, of as many rows as the image has."""
    return torch.stack([part_TC.mean(0) for part_TC in x_TC.relu().split(sizes)])


def by_tensor(x_TC, grid_N2):
    return pooled(x_TC, grid_N2.prod(-1).tolist())


def run(function, device, sizes):
    torch.manual_seed(0)
    x_TC = torch.randn(10, 4, device=device)
    return observe(function, [(x_TC, sizes)] * 2, compare=["eager"])


def symptom(device):
    return run(by_tensor, device, torch.tensor([[2, 2], [2, 3]], device=device))


def remedy(device):
    return run(pooled, device, [4, 6])


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return len(report.graphs) > 1
