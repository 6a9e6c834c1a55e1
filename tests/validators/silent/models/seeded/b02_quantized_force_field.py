import torch
from torch import nn


class RoundToGrid(torch.autograd.Function):
    """Rounds to a multiple of 1/16 with a straight-through gradient."""

    @staticmethod
    def forward(values):
        return torch.round(values * 16) / 16

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, upstream):
        (values,) = ctx.saved_tensors
        return upstream * (values.abs() < 4).to(upstream.dtype)


class PairPotential(nn.Module):
    def __init__(self, basis=8, hidden=16):
        super().__init__()
        self.register_buffer("centers", torch.linspace(0.3, 3.0, basis))
        self.encode = nn.Linear(basis, hidden)
        self.decode = nn.Linear(hidden, 1)

    def energy(self, positions):
        n = positions.shape[0]
        grid = RoundToGrid.apply(positions)
        delta = grid[:, None] - grid[None]
        off = ~torch.eye(n, dtype=torch.bool)
        distance = (delta.square().sum(-1) + 1e-3).sqrt()
        radial = torch.exp(-2.0 * (distance[..., None] - self.centers).square())
        hidden = torch.nn.functional.silu(self.encode(radial))
        pair = self.decode(hidden).squeeze(-1)
        return 0.5 * (pair * off * torch.exp(-distance)).sum()

    def forward(self, positions, velocities, dt):
        forces = -torch.func.grad(self.energy)(positions)
        forces = forces - forces.mean(0)
        velocities = 0.98 * velocities + dt * forces
        positions = positions + dt * velocities
        return positions, velocities, velocities.square().sum() / 2


def example():
    torch.manual_seed(3)
    model = PairPotential()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    calls = [(torch.randn(6, 3), 0.1 * torch.randn(6, 3), 0.5)]
    return model, calls
