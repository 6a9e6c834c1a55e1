import torch
from torch import nn

from validators.probes import observe


class Block(nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.drop = drop

    def forward(self, x):
        return torch.relu(self.drop(self.proj(x)))


def epochs(model, x):
    """Three epochs: a training step, then a validation step."""
    for _ in range(3):
        model.train()
        yield (x,)
        model.eval()
        yield (x,)


def forward(device, drop):
    model = Block(drop).to(device)
    return observe(model, epochs(model, torch.randn(4, 8, device=device)))


def symptom(device):
    return forward(device, nn.Dropout(p=0.0))


def remedy(device):
    return forward(device, nn.Identity())


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0, 0, 0)
