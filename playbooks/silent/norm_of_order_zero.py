"""`norm` of order zero does not require grad, so that its gradient of zero is lost.

cause: decomposition
avoid: Add zero times the sum to the norm.
"""

import torch


def inputs():
    return (torch.tensor([[1.0, 2.0], [0.0, 3.0]], requires_grad=True),)


def call(x):
    return torch.norm(x, p=0, dim=1)


def instead(x):
    return torch.norm(x, p=0, dim=1) + x.sum(1) * 0
