"""`argmin` of a transposed tensor plus a number returns the place in memory.

cause: code generation
issue: pytorch/pytorch#197739
avoid: Take `argmin` of the flattened tensor.
"""

import torch


def inputs():
    return (torch.tensor([[3.0, 2.0], [1.0, 4.0]]),)


def call(x):
    return (x.t() + 0.5).argmin()


def instead(x):
    return (x.t() + 0.5).reshape(-1).argmin(0)
