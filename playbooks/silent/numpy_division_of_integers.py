"""The quotient of an integer array and an integer is float32, where NumPy gives float64.

cause: type promotion
issue: pytorch/pytorch#198056
avoid: Cast to float64 first.
"""

import numpy as np
import torch


def inputs():
    return (torch.tensor([1, 2]),)


def call(x):
    return torch.from_numpy(np.asarray(x.numpy() / 3))


def instead(x):
    return torch.from_numpy(x.numpy().astype(np.float64) / 3)
