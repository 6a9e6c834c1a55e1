import torch
from torch import nn


class Expert(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(torch.nn.functional.silu(self.up(x)))


class ExpertBlock(nn.Module):
    """Residual block around an expert that the caller picks; the shared one bypasses the router."""

    def __init__(self, shared, width=10):
        super().__init__()
        self.shared = shared
        self.norm = nn.LayerNorm(width)
        self.router = nn.Linear(width, 1)
        self.out = nn.Linear(width, 3)

    def forward(self, x, expert):
        hidden = self.norm(x)
        result = expert(hidden)
        if expert is not self.shared:
            result = result * torch.sigmoid(4 * self.router(hidden))
        x = x + result
        pooled = x.mean(dim=1) + x.amax(dim=1)
        return self.out(torch.tanh(pooled)).log_softmax(-1)


def example():
    torch.manual_seed(67)
    shared, special = Expert(10, 16), Expert(10, 16)
    model = ExpertBlock(shared)
    for module in (model, special):
        module.eval().requires_grad_(False)
    x = torch.randn(3, 5, 10)
    return model, [(x, special), (x, shared), (x, special)]
