"""A module that adds activations to one buffer and counts in another returns the counter.

cause: aliasing and mutation
avoid: Detach what the buffer gets.
"""

import torch


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(()))
        self.register_buffer("steps", torch.zeros(()))

    def added(self, x):
        return x.sum()

    def forward(self, x):
        self.total.add_(self.added(x))
        self.steps += 1
        return x * 2


class instead(call):
    def added(self, x):
        return x.detach().sum()


def inputs():
    return (torch.ones(4, requires_grad=True),)
