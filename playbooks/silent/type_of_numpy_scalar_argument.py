"""`isinstance` of an `np.float64` argument and `float` is false.

cause: unfaithful tracing
issue: pytorch/pytorch#141343
avoid: Do not branch on the type.
"""

import numpy as np
import torch


def inputs():
    return torch.ones(2), np.float64(2.5)


def call(x, v):
    return x * v if isinstance(v, float) else x - v


def instead(x, v):
    return x * v
