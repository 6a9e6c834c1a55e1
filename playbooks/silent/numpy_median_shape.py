"""`np.median` of an array gives one dimension where NumPy gives a number.

cause: decomposition
issue: pytorch/pytorch#198056
avoid: Reshape the result to no dimensions.
"""

import numpy as np
import torch


def inputs():
    return (np.array([0.5, -1.5, 2.5]),)


def call(x):
    return torch.as_tensor(np.median(x))


def instead(x):
    return torch.as_tensor(np.median(x).reshape(()))
