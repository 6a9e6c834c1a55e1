"""A symbolic size times minus zero is plus zero.

cause: symbolic sizes
avoid: Multiply the tensor by minus zero, then by the size.
"""

import torch

compile = {"dynamic": True}


def inputs():
    return (torch.ones(5),)


def call(x):
    return 1 / (x * (x.shape[0] * -0.0))


def instead(x):
    return 1 / (x * -0.0 * x.shape[0])
