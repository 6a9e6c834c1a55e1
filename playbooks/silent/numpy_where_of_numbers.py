"""`np.where` with two Python numbers gives float32, where NumPy gives float64.

cause: type promotion
avoid: Pass `np.float64` arrays.
"""

import numpy as np
import torch


def inputs():
    return (torch.tensor([1.0, -1.0]),)


def call(x):
    return torch.from_numpy(np.asarray(np.where(x.numpy() > 0, 1.1, 2)))


def instead(x):
    return torch.where(
        x > 0, torch.tensor(1.1, dtype=torch.float64), torch.tensor(2.0, dtype=torch.float64)
    )
