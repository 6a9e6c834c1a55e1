"""A `torch.Tensor` method passed as an argument is not guarded: the first one is called again.

cause: stale reuse
issue: pytorch/pytorch#197811
avoid: Pass the method's name, and use `getattr`.
"""

import torch


def inputs():
    return [
        (getattr(torch.Tensor, name), name, torch.full((3,), 6.0), torch.full((3,), 3.0))
        for name in ("add", "mul")
    ]


def call(f, name, x, y):
    return f(x, y)


def instead(f, name, x, y):
    return getattr(x, name)(y)
