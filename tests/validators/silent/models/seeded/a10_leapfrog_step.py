import torch
import torch.nn as nn


class LeapfrogStep(nn.Module):
    """Leapfrog integration of particles in a learned potential."""

    def __init__(self, dim=4, hidden=16, dt=0.1):
        super().__init__()
        self.dt = dt
        self.potential = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        self.damping = nn.Parameter(torch.tensor(0.2))
        self.register_buffer("mass", torch.linspace(1.0, 2.0, dim))

    def force(self, position):
        spring = -0.5 * position
        return spring + self.potential(torch.tanh(position))

    def forward(self, position, velocity, previous):
        kick = self.force(position) / self.mass
        half = velocity + 0.5 * self.dt * kick
        half = half * torch.exp(-self.damping * self.dt)
        previous[0:, :] = position[0:, :]
        position.add_(half, alpha=self.dt)
        kick = self.force(position) / self.mass
        speed = half + 0.5 * self.dt * kick
        kinetic = 0.5 * (self.mass * speed.square()).sum(-1)
        return speed, kinetic, (position * self.mass).mean(0)


def example():
    torch.manual_seed(43)
    model = LeapfrogStep().eval().requires_grad_(False)
    position, velocity = torch.randn(6, 4), torch.randn(6, 4) * 3
    return model, [(position, velocity, torch.zeros(6, 4))]
