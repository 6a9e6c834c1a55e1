"""A submodule's own `__call__` is skipped: only `forward` runs.

cause: unfaithful tracing
avoid: Put the code into `forward`.
"""

import torch


class Tripled(torch.nn.Module):
    def __call__(self, x):
        return super().__call__(x) * 3

    def forward(self, x):
        return x + 1


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Tripled()

    def forward(self, x):
        return self.layer(x)


class instead(torch.nn.Module):
    def forward(self, x):
        return (x + 1) * 3


def inputs():
    return (torch.ones(2),)
