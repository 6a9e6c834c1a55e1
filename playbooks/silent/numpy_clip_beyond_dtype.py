"""`np.clip` with bounds outside the array's dtype wraps the bounds.

cause: decomposition
issue: pytorch/pytorch#198052
avoid: Clamp the bounds to the dtype's range first.
"""

import numpy as np
import torch


def inputs():
    return (torch.tensor([-100, 0, 100], dtype=torch.int8),)


def call(x):
    return torch.from_numpy(np.asarray(np.clip(x.numpy(), -1000, 1000)))


def instead(x):
    return torch.clamp(x, -128, 127)
