"""The gradient through an indexed assignment into an expanded tensor is wrong.

cause: aliasing and mutation
issue: pytorch/pytorch#188084
"""

import torch


def inputs():
    return torch.ones(3, requires_grad=True), torch.tensor([0, 1])


def call(x, index):
    def f(v):
        y = v.sum().expand(2, 3).clone()
        y[index, index] = 0
        return y.sum()

    return torch.func.grad(f)(x)
