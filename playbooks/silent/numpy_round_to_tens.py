"""`np.round` of an integer array to tens returns the array unchanged.

cause: decomposition
avoid: Round a float64 array, and cast back.
"""

import numpy as np
import torch


def inputs():
    return (torch.tensor([12, 27, 41]),)


def call(x):
    return torch.from_numpy(np.asarray(np.round(x.numpy(), -1)))


def instead(x):
    return torch.from_numpy(np.round(x.numpy() / 10.0) * 10).long()
