"""`torch.Tensor` of a list of integers that became symbolic holds their bits, not their values.

cause: symbolic sizes
issue: pytorch/pytorch#135432
avoid: Use `torch.tensor` with a dtype.
"""

import torch


def inputs():
    return [([1, 2],), ([3, 4],), ([5, 6],)]


def call(values):
    return torch.Tensor(values)


def instead(values):
    return torch.tensor(values, dtype=torch.float32)
