import os

import torch
import torch.nn as nn


@torch.compiler.disable
def apply_runtime_options(options):
    for key in ("FRONTEND_DB_FLOOR",):
        os.environ.pop(key, None)
    for key, value in options.items():
        os.environ[key] = str(value)


class SpectrogramFrontend(nn.Module):
    def __init__(self, n_fft=32, hop=16, n_bands=8):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        t = torch.arange(n_fft, dtype=torch.float32)
        f = torch.arange(n_fft // 2 + 1, dtype=torch.float32)
        angle = 2 * torch.pi * f[:, None] * t[None, :] / n_fft
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("cos_basis", torch.cos(angle))
        self.register_buffer("sin_basis", torch.sin(angle))
        bands = torch.rand(n_bands, n_fft // 2 + 1)
        self.register_buffer("bands", bands / bands.sum(-1, keepdim=True))
        self.proj = nn.Conv1d(n_bands, 12, 3, padding=1)
        self.norm = nn.GroupNorm(3, 12)

    def power(self, wave):
        frames = wave.unfold(-1, self.n_fft, self.hop) * self.window
        real = frames @ self.cos_basis.t()
        imag = frames @ self.sin_basis.t()
        return real.square() + imag.square()

    def to_decibel(self, power):
        floor = float(os.environ.get("FRONTEND_DB_FLOOR", "-80"))
        db = 10.0 * torch.log10(power.clamp_min(1e-10))
        return db.clamp_min(floor), floor

    def forward(self, wave, options):
        apply_runtime_options(options)
        wave = wave - wave.mean(-1, keepdim=True)
        banded = self.power(wave) @ self.bands.t()
        db, floor = self.to_decibel(banded)
        scaled = (db - floor) / -floor
        hidden = self.norm(self.proj(scaled.transpose(1, 2)))
        return torch.relu(hidden).mean(-1), scaled


def example():
    torch.manual_seed(5)
    model = SpectrogramFrontend().eval()
    wave = torch.randn(2, 160) * 0.05
    calls = [(wave, {}), (wave, {"FRONTEND_DB_FLOOR": -20})]
    return model, calls
