import torch
from torch import nn

from validators.probes import observe


class Crop(nn.Module):
    """Removes the padding of an encoded image, whose size in pixels comes with it."""

    def __init__(self, channels=3, width=8, patch=2):
        super().__init__()
        self.patch = patch
        self.patches = nn.Conv2d(channels, width, patch, stride=patch)
        self.head = nn.Linear(width, 4)

    def forward(self, image_CHW, size):
        x_CHW = self.patches(image_CHW)
        x_CHW = x_CHW[:, : size[0] // self.patch, : size[1] // self.patch]
        return self.head(x_CHW.flatten(1).T)


def encode(size, device):
    torch.manual_seed(0)
    image_CHW = torch.randn(3, 16, 16, device=device)
    return observe(Crop().to(device), [(image_CHW, size)] * 2, compare=["eager"], eager=True)


def symptom(device):
    return encode(torch.tensor([12, 10]), device)


def remedy(device):
    return encode((12, 10), device)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
