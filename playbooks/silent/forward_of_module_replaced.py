"""A module whose `forward` is replaced after the first call keeps running the first one.

cause: stale reuse
issue: pytorch/pytorch#117265
"""

import torch


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.ReLU()

    @torch.compiler.disable
    def change(self, n):
        if n:
            self.layer.forward = lambda x: x * 9

    def forward(self, x, n):
        self.change(n)
        return self.layer(x)


def inputs():
    return [(torch.ones(2), 0), (torch.ones(2), 1)]
