"""A gradient is NaN where an output that the loss does not use has an infinite derivative.

cause: unfaithful tracing
issue: pytorch/pytorch#131794
avoid: Detach the unused value before the graph break.
"""

import torch


@torch.compiler.disable
def log():
    pass


def inputs():
    return (torch.tensor([0.0, 1.0], requires_grad=True),)


def call(x):
    y, root = x * 2, x.sqrt()
    log()
    return y, root.detach()


def instead(x):
    y, root = x * 2, x.detach().sqrt()
    log()
    return y, root
