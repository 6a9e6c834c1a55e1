"""Phase vocoder front end: framed spectra, phase advance and resynthesis."""

import math

import torch
import torch.nn as nn


class PhaseVocoder(nn.Module):
    def __init__(self, size=64, hop=16, rate=1.25):
        super().__init__()
        self.size, self.hop, self.rate = size, hop, rate
        self.register_buffer("window", torch.hann_window(size))
        freq = torch.arange(size // 2 + 1) * (2.0 * math.pi * hop / size)
        self.register_buffer("advance", freq)

    def forward(self, wave):
        wave = (wave - wave.mean(-1, keepdim=True)) / wave.std(-1, keepdim=True)
        frames = wave.unfold(-1, self.size, self.hop) * self.window
        spec = torch.fft.rfft(frames)
        mag, phase = spec.abs(), spec.angle()
        delta = phase[:, 1:] - phase[:, :-1] - self.advance
        delta = delta - 2.0 * math.pi * torch.round(delta / (2.0 * math.pi))
        inst = (delta + self.advance) / self.hop
        synth = phase[:, :1] + torch.cumsum(self.rate * (delta + self.advance), 1)
        out = torch.fft.irfft(torch.polar(mag[:, 1:], synth), n=self.size)
        log_mag = torch.log(mag + 1e-12)
        return {
            "phase": phase,
            "inst_freq": inst,
            "log_mag": log_mag,
            "frames": out * self.window,
            "energy": mag.square().sum(-1),
        }


def example():
    torch.manual_seed(4)
    model = PhaseVocoder()
    t = torch.arange(320) / 64.0
    tones = torch.stack([torch.cos(2 * math.pi * 4 * t), torch.cos(2 * math.pi * 8 * t) + 0.5])
    return model, [(tones,), (torch.cos(2 * math.pi * 3 * t)[None] * 2.0,)]
