"""`interpolate` with mode nearest resamples a dimension whose size does not change.

cause: decomposition
issue: pytorch/pytorch#175154
avoid: Pass `size` in place of `scale_factor`.
"""

import torch


def inputs():
    return (torch.tensor([[[[1.0, 2.0]]]]),)


def call(x):
    return torch.nn.functional.interpolate(x, scale_factor=1.3, mode="nearest")


def instead(x):
    return torch.nn.functional.interpolate(x, size=(1, 2), mode="nearest")
