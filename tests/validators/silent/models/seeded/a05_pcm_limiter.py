import numpy as np
import torch
import torch.nn as nn


class PcmLimiter(nn.Module):
    """Reads 16-bit samples, limits them to a ceiling and extracts features."""

    def __init__(self, ceiling=48000, bands=6):
        super().__init__()
        self.ceiling = ceiling
        self.conv = nn.Conv1d(1, bands, 9, stride=4, padding=4)
        self.gate = nn.Conv1d(1, bands, 9, stride=4, padding=4)
        self.norm = nn.BatchNorm1d(bands)
        self.head = nn.Linear(bands * 2, 4)

    def limit(self, pcm):
        samples = np.clip(pcm.numpy(), -self.ceiling, self.ceiling)
        return torch.from_numpy(np.asarray(samples))

    def forward(self, pcm):
        limited = self.limit(pcm)
        wave = limited.to(torch.float32) / 32768.0
        wave = wave - wave.mean(-1, keepdim=True)
        wave = wave[:, 1:] - 0.97 * wave[:, :-1]
        wave = wave.unsqueeze(1)
        hidden = torch.sigmoid(self.gate(wave)) * self.conv(wave)
        hidden = self.norm(hidden)
        pooled = torch.cat([hidden.mean(-1), hidden.amax(-1)], dim=-1)
        return self.head(pooled).log_softmax(-1), limited


def example():
    torch.manual_seed(3)
    model = PcmLimiter().eval().requires_grad_(False)
    pcm = torch.randint(-30000, 30000, (2, 128), dtype=torch.int16)
    return model, [(pcm,)]
