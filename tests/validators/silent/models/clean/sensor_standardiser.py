"""Standardise windows of industrial sensor channels and score anomalies."""

import torch
import torch.nn as nn


class SensorScorer(nn.Module):
    def __init__(self, channels=6, window=50, hidden=16):
        super().__init__()
        self.window = window
        self.eps = 1e-6
        self.proj = nn.Linear(channels, hidden)
        self.score = nn.Linear(hidden, 1)

    def normalise(self, w):
        mean = w.mean(-1, keepdim=True)
        std = w.std(-1, keepdim=True)
        return (w - mean) / (std + self.eps), std

    def forward(self, x):
        w = x.unfold(-1, self.window, self.window)
        z, std = self.normalise(w)
        skew = z.pow(3).mean(-1)
        kurt = z.pow(4).mean(-1)
        cov_of_var = std.squeeze(-1) / w.mean(-1).abs()
        features = z.permute(0, 2, 3, 1)
        h = torch.tanh(self.proj(features)).mean(2)
        return {
            "score": self.score(h).squeeze(-1),
            "skew": skew,
            "kurtosis": kurt,
            "variation": cov_of_var,
            "std": std.squeeze(-1),
        }


def example():
    torch.manual_seed(43)
    model = SensorScorer().eval()
    x = torch.randn(2, 6, 200)
    x[:, 1] = 101.325 + 1e-4 * torch.randn(2, 200)
    x[:, 2] = 21.1
    x[:, 3] = 21.7
    x[:, 4] = 1013.25 + 0.002 * torch.randn(2, 200)
    return model, [(x,)]
