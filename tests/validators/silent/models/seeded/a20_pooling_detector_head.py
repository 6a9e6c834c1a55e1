import torch
import torch.nn as nn
import torch.nn.functional as F


class Pooling:
    def __init__(self, label):
        self.label = label


AVERAGE = Pooling("average")
PEAK = Pooling("peak")


class DetectorHead(nn.Module):
    """Objectness and boxes per cell of a coarse grid over a feature map."""

    def __init__(self, channels=8, cell=4):
        super().__init__()
        self.cell = cell
        self.stem = nn.Conv2d(3, channels, 3, padding=1)
        self.norm = nn.GroupNorm(2, channels)
        self.deep = nn.Conv2d(channels, channels, 3, padding=1)
        self.score = nn.Conv2d(channels, 1, 1)
        self.box = nn.Conv2d(channels, 4, 1)

    def reduce(self, features, pooling):
        if pooling is PEAK:
            return F.max_pool2d(features, self.cell)
        return F.avg_pool2d(features, self.cell)

    def forward(self, image, pooling):
        x = F.silu(self.norm(self.stem(image - image.mean())))
        x = x + F.silu(self.deep(x))
        grid = self.reduce(x, pooling)
        score = torch.sigmoid(self.score(grid)).flatten(1)
        size = F.softplus(self.box(grid)).flatten(2).transpose(1, 2)
        ranked = score.sort(dim=-1, descending=True)
        picked = size.gather(1, ranked.indices.unsqueeze(-1).expand(-1, -1, 4))
        return ranked.values, picked


def example():
    torch.manual_seed(101)
    model = DetectorHead().eval().requires_grad_(False)
    image = torch.rand(2, 3, 8, 8)
    return model, [(image, AVERAGE), (image, PEAK)]
