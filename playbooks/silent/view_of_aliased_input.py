"""A view of an input that aliases another changed input comes from the wrong tensor.

cause: aliasing and mutation
issue: pytorch/pytorch#198095
avoid: Return a clone.
"""

import torch

compile = {"backend": "aot_eager"}


def inputs():
    x = torch.arange(8.0).view(4, 2).clone()
    return x, x[1:]


def call(x, y):
    x.add_(100)
    return y[0]


def instead(x, y):
    x.add_(100)
    return y[0].clone()
