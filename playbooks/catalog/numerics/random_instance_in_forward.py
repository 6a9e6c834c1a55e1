import random

import torch

from validators.probes import observe


class Jitter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.random = random.Random(0)

    def forward(self, x):
        return x * self.random.randint(1, 9)


class Scale(torch.nn.Module):
    def forward(self, x, factor):
        return x * factor


def symptom(device):
    x = torch.ones(4, device=device)
    return observe(Jitter(), [(x,)] * 6, compare=("eager",))


def remedy(device):
    x, numbers = torch.ones(4, device=device), random.Random(0)
    factors = [torch.tensor(numbers.randint(1, 9), device=device) for _ in range(6)]
    return observe(Scale(), [(x, factor) for factor in factors], compare=("eager",))


def shows(report):
    assert report.exception is None, report.exception
    wrong = [call.difference.eager >= 1 for call in report.calls]
    assert all(it.difference.eager in range(9) for it in report.calls), report.calls
    return any(wrong) and len(report.graphs) == 1
