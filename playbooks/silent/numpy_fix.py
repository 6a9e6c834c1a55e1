"""`np.fix` rounds to the nearest integer instead of towards zero.

cause: decomposition
issue: pytorch/pytorch#198052
avoid: Use `torch.trunc`.
"""

import numpy as np
import torch


def inputs():
    return (torch.tensor([1.5, -1.5, 2.7]),)


def call(x):
    return torch.from_numpy(np.asarray(np.fix(x.numpy())))


def instead(x):
    return torch.trunc(x)
