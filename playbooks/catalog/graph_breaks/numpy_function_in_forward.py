import numpy as np
import torch

from validators.probes import observe

STEPS = [0.0, 1.0, 3.0]
SIGMAS = [0.0, 2.0, 4.0]


def by_numpy(x):
    """A noise schedule looked up between its steps, in code that was written for NumPy."""
    sigma = np.interp(x.numpy(), np.array(STEPS), np.array(SIGMAS))
    return (torch.from_numpy(sigma) + x).tanh()


def by_torch(x):
    steps, sigmas = x.new_tensor(STEPS), x.new_tensor(SIGMAS)
    right = torch.searchsorted(steps, x).clamp(1, len(STEPS) - 1)
    left = right - 1
    weight = ((x - steps[left]) / (steps[right] - steps[left])).clamp(0, 1)
    return (torch.lerp(sigmas[left], sigmas[right], weight) + x).tanh()


def interpolated(function):
    x = torch.tensor([0.5, 1.0, 2.5, 4.0], dtype=torch.float64)
    return observe(function, [(x,)] * 2, compare=["eager"])


def symptom(device):
    return interpolated(by_numpy)


def remedy(device):
    return interpolated(by_torch)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
