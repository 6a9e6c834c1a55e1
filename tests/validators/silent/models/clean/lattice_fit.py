"""Fit growth rates of a globally coupled population map to an observed frame."""

import torch
import torch.nn as nn


class CoupledPopulations(nn.Module):
    def __init__(self, sites=61, steps=12):
        super().__init__()
        self.rate = nn.Parameter(torch.full((sites,), 3.3))
        self.coupling = nn.Parameter(torch.tensor(-2.4))
        self.steps = steps

    def grow(self, u):
        return u * torch.exp(self.rate * (1.0 - u))

    def forward(self, u):
        eps = torch.sigmoid(self.coupling)
        trace = []
        for _ in range(self.steps):
            f = self.grow(u)
            pool = f.mean(-1, keepdim=True)
            u = (1.0 - eps) * f + eps * pool
            trace.append(pool.squeeze(-1))
        return {"state": u, "mean_field": torch.stack(trace, -1)}


def example():
    torch.manual_seed(31)
    model = CoupledPopulations()
    u0 = torch.rand(4, 61) * 0.8 + 0.1
    observed = torch.rand(4, 61)

    def loss(output):
        fit = (output["state"] - observed).pow(2).mean()
        return fit + 0.1 * output["mean_field"].var(-1).mean()

    return model, [(u0,)], loss
