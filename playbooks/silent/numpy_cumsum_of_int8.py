"""`np.cumsum` of an int8 array overflows in int8, where NumPy adds in int64.

cause: type promotion
issue: pytorch/pytorch#198056
avoid: Pass `dtype=np.int64`.
"""

import numpy as np
import torch


def inputs():
    return (torch.full((3,), 100, dtype=torch.int8),)


def call(x):
    return torch.from_numpy(np.asarray(np.cumsum(x.numpy())))


def instead(x):
    return torch.from_numpy(np.cumsum(x.numpy(), dtype=np.int64))
