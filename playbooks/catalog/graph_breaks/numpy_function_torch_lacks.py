import numpy as np
import torch

from validators.probes import observe

SIGMAS = [0.1, 0.5, 2.0, 8.0]


def scaled(x, sigma):
    step = torch.from_numpy(np.interp(sigma.numpy(), SIGMAS, [0.0, 1.0, 2.0, 3.0]))
    return x.relu() / (step.to(x.dtype) + 1)


def scaled_by_torch(x, sigma):
    table = torch.tensor(SIGMAS, dtype=sigma.dtype)
    above = torch.searchsorted(table, sigma).clamp(1, len(SIGMAS) - 1)
    share = (sigma - table[above - 1]) / (table[above] - table[above - 1])
    return x.relu() / ((above - 1 + share).to(x.dtype) + 1)


def run(forward):
    calls = [(torch.arange(4.0), torch.tensor([0.1, 0.3, 1.0, 5.0]))] * 2
    return observe(forward, calls, compare=["eager"])


def symptom(device):
    return run(scaled)


def remedy(device):
    return run(scaled_by_torch)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-5 for call in report.calls)
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and "torch.searchsorted" in report.graphs[0].targets
        return False
    assert all("in torch._numpy" in b.reason for b in report.graph_breaks), report.graph_breaks
    return len(report.graphs) == 2
