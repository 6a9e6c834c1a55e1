import torch

from validators.probes import observe


def mean_pooled(x_BTC, lengths_B, longest):
    steps_T = torch.arange(longest, device=x_BTC.device)
    kept_BT1 = (steps_T < lengths_B[:, None])[..., None]
    return (x_BTC * kept_BT1).sum(1) / lengths_B[:, None]


def by_tensor(x_BTC, lengths_B):
    return mean_pooled(x_BTC, lengths_B, longest=lengths_B.max())


def by_shape(x_BTC, lengths_B):
    return mean_pooled(x_BTC, lengths_B, longest=x_BTC.shape[1])


def pooled(function, device):
    torch.manual_seed(0)
    inputs = torch.randn(3, 5, 4, device=device), torch.tensor([5, 2, 3], device=device)
    return observe(function, [inputs] * 2, compare=["eager"])


def symptom(device):
    return pooled(by_tensor, device)


def remedy(device):
    return pooled(by_shape, device)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
