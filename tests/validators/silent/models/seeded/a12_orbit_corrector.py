import numpy as np
import torch
import torch.nn as nn

EPOCH = 1735689600.25
LEAP = 1735689601


class OrbitCorrector(nn.Module):
    """Chooses a reference epoch per observation and propagates a circular orbit."""

    def __init__(self, period=5400.0, hidden=8):
        super().__init__()
        self.rate = 2 * torch.pi / period
        self.radius = nn.Parameter(torch.tensor(7.0))
        self.residual = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.register_buffer("tilt", torch.tensor([[0.9, -0.3], [0.3, 0.9]]))

    def reference(self, flags):
        chosen = np.where(flags.numpy() > 0.5, LEAP, EPOCH)
        return torch.from_numpy(np.asarray(chosen))

    def forward(self, stamps, flags):
        flags = torch.sigmoid(4 * flags)
        elapsed = stamps - self.reference(flags)
        phase = torch.remainder(elapsed * self.rate, 2 * torch.pi)
        place = torch.stack([torch.cos(phase), torch.sin(phase)], dim=-1).float()
        place = self.radius * (place @ self.tilt.t())
        features = torch.cat([place / 7.0, flags.unsqueeze(-1)], dim=-1)
        corrected = place + 0.05 * self.residual(features)
        distance = corrected.square().sum(-1).sqrt()
        return corrected, distance, elapsed


def example():
    torch.manual_seed(59)
    model = OrbitCorrector().eval().requires_grad_(False)
    stamps = EPOCH + torch.tensor([3.5, 61.0, 900.0, 2700.75], dtype=torch.float64)
    flags = torch.tensor([-1.0, 0.7, 1.2, -0.4])
    return model, [(stamps, flags)]
