"""`softshrink` of NaN is zero.

cause: decomposition
avoid: Keep the NaN by `torch.where`.
"""

import torch


def inputs():
    return (torch.tensor([2.0, float("nan"), -2.0]),)


def call(x):
    return torch.nn.functional.softshrink(x)


def instead(x):
    return torch.where(x.isnan(), x, torch.nn.functional.softshrink(x))
