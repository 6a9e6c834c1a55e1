"""`argmax` of an average pool of a transposed input returns a wrong place.

cause: code generation
issue: pytorch/pytorch#193492
avoid: Flatten the pooled tensor first.
"""

import torch


def inputs():
    return (torch.arange(24.0).view(4, 2, 3)[[0, 3, 1, 2]].transpose(0, 1),)


def call(x):
    return torch.adaptive_avg_pool1d(x, 2).argmax()


def instead(x):
    return torch.adaptive_avg_pool1d(x, 2).reshape(-1).clone().argmax(0)
