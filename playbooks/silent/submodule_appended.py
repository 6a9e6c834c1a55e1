"""A module appended to a `Sequential` after the first call does not run.

cause: stale reuse
"""

import torch


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.ReLU())

    @torch.compiler.disable
    def change(self, n):
        if n:
            self.layers.append(torch.nn.Sigmoid())

    def forward(self, x, n):
        self.change(n)
        return self.layers(x)


def inputs():
    return [(torch.ones(2), 0), (torch.ones(2), 1)]
