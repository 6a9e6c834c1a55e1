"""A tensor that is copied and then changed in place is copied as changed.

cause: aliasing and mutation
issue: pytorch/pytorch#198131
"""

import torch


def inputs():
    return torch.zeros(3, 4), torch.arange(12.0).view(3, 4)


def call(to, source):
    to[0:, :] = source[0:, :]
    source.add_(1)
    return source
