"""A neural ODE in training, solved with an adaptive step, of torchdiffeq."""

import torch
from torchdiffeq import odeint


class Field(torch.nn.Module):
    """The derivative of the state."""

    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(2, 32), torch.nn.Tanh(), torch.nn.Linear(32, 2)
        )

    def forward(self, t, y):
        """The derivative at a time."""
        return self.net(y**3)


class NeuralODE(torch.nn.Module):
    """The states at some times, from an initial one."""

    def __init__(self):
        super().__init__()
        self.field = Field()

    def forward(self, y0, t):
        """The states."""
        return odeint(self.field, y0, t, rtol=1e-4, atol=1e-5, method="dopri5")


def example():
    """Two sizes of the batch and two numbers of times, trained on."""
    torch.manual_seed(0)
    calls = [
        (torch.randn(size, 2), torch.linspace(0.0, 2.0, times)) for size, times in ((8, 5), (12, 7))
    ]
    return NeuralODE(), calls, lambda states: states.square().mean()
