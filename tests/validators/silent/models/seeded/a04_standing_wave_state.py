import torch
import torch.nn as nn


class StandingWaveState(nn.Module):
    """One step of a string model: drive the modes, reflect them, then read out."""

    def __init__(self, modes=6, points=16, hidden=12):
        super().__init__()
        self.register_buffer("driven", torch.arange(modes))
        self.register_buffer("gain", torch.linspace(0.5, 1.5, points))
        self.norm = nn.LayerNorm(points)
        self.readout = nn.Sequential(nn.Linear(points, hidden), nn.SiLU(), nn.Linear(hidden, 3))

    def advance(self, field):
        drive = torch.tanh(field * self.gain) * 1.5
        field[self.driven] = drive
        field.add_(field.flip(0))
        return field

    def forward(self, field):
        level = field.square().mean(-1)
        hidden = self.norm(self.advance(field))
        out = self.readout(hidden)
        out = torch.tanh(out - out.mean(0))
        return out.softmax(-1), level


def example():
    torch.manual_seed(8)
    model = StandingWaveState().eval().requires_grad_(False)
    return model, [(torch.randn(6, 16),)]
