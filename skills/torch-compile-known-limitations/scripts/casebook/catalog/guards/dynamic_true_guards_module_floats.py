import contextlib

import torch
import torch._dynamo
from torch import nn

from validators.probes import guard_evaluations

LAYERS = 24


class ScaledNorm(nn.Module):
    """A layer as model code has them: its settings are floats on the module."""

    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.variance_epsilon = 1e-6
        self.residual_scale = 0.5

    def forward(self, x_BC):
        variance_B1 = x_BC.square().mean(-1, keepdim=True)
        normed_BC = x_BC * torch.rsqrt(variance_B1 + self.variance_epsilon)
        return x_BC + self.residual_scale * self.weight * normed_BC


@torch.no_grad()
def dynamic_against_default(device, compiling):
    layers = nn.Sequential(*(ScaledNorm(8) for _ in range(LAYERS))).to(device)
    x_BC = torch.randn(4, 8, device=device)
    return guard_evaluations(layers, (x_BC,), compiling=compiling, dynamic=True)


def symptom(device):
    return dynamic_against_default(device, contextlib.nullcontext)


def remedy(device):
    return dynamic_against_default(
        device, lambda: torch._dynamo.config.patch(specialize_float=True)
    )


def shows(report):
    # By default nothing needs Python; with `dynamic=True` the size of the batch does anyway.
    assert report.facts["plain_in_python"] == 0, report.facts
    if report.facts["changed_in_python"] <= 1:
        return False
    return report.facts["changed_in_python"] > 2 * LAYERS
