import random

import torch
from torch import nn


class AugmentedEncoder(nn.Module):
    """Speech encoder with one frequency band and one time stripe hidden per call."""

    def __init__(self, mels=20, width=24, stripe=6, band=4):
        super().__init__()
        self.stripe, self.band = stripe, band
        self.front = nn.Conv1d(mels, width, 3, padding=1)
        self.norm = nn.LayerNorm(width)
        self.gate = nn.Linear(width, 2 * width)
        self.pool = nn.Linear(width, 1)
        self.out = nn.Linear(width, 5)

    def hide(self, mel, rng):
        mels, frames = mel.shape[-2:]
        low = rng.randrange(mels - self.band)
        start = rng.randrange(frames - self.stripe)
        time = torch.arange(frames)
        freq = torch.arange(mels)
        keep_time = (time < start) | (time >= start + self.stripe)
        keep_freq = (freq < low) | (freq >= low + self.band)
        return mel * (keep_freq[:, None] & keep_time[None, :])

    def forward(self, mel, rng):
        mel = (mel - mel.mean(-1, keepdim=True)) / (mel.std(-1, keepdim=True) + 1e-5)
        x = self.front(self.hide(mel, rng)).transpose(1, 2)
        x = torch.nn.functional.glu(self.gate(self.norm(x)), dim=-1) + x
        weights = self.pool(torch.tanh(x)).softmax(dim=1)
        return self.out((weights * x).sum(dim=1))


def example():
    torch.manual_seed(23)
    model = AugmentedEncoder().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    mel = torch.randn(2, 20, 40)
    rng = random.Random(99)
    return model, [(mel, rng) for _ in range(4)]
