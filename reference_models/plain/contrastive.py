"""A contrastive loss over two views of each image, with a learned temperature."""

import torch
import torch.nn.functional as F
from torch import nn


class Contrastive(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 8))
        self.log_scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, one, other):
        z = F.normalize(self.encoder(torch.cat([one, other])), dim=-1)
        scores = z @ z.T * self.log_scale.exp()
        scores.fill_diagonal_(float("-inf"))
        pairs = torch.arange(len(z), device=z.device).roll(len(one))
        return F.cross_entropy(scores, pairs)


def build():
    return Contrastive()


def inputs(batch):
    return torch.randn(batch, 12), torch.randn(batch, 12)
