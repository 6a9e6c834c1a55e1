"""`np.sign` of NaN is 0.

cause: decomposition
issue: pytorch/pytorch#198052
avoid: Keep the NaN with `torch.where`.
"""

import numpy as np
import torch


def inputs():
    return (torch.tensor([2.0, float("nan")]),)


def call(x):
    return torch.from_numpy(np.asarray(np.sign(x.numpy())))


def instead(x):
    return torch.where(torch.isnan(x), x, torch.sign(x))
