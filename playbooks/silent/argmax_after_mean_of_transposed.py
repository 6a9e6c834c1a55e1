"""`argmax` of a mean of a transposed input returns a wrong place.

cause: code generation
issue: pytorch/pytorch#193661
avoid: Flatten and clone the mean first.
"""

import torch


def inputs():
    return (torch.arange(24.0).view(4, 2, 3)[[0, 3, 1, 2]].transpose(0, 1),)


def call(x):
    return x.mean(-1).argmax()


def instead(x):
    return x.mean(-1).reshape(-1).clone().argmax(0)
