"""A `deque` argument loses its `maxlen`, so that `append` lets it grow.

cause: unfaithful tracing
"""

from collections import deque

import torch


def inputs():
    return torch.ones(2), deque([3, 2], maxlen=2)


def call(x, d):
    d.append(9)
    return x * d[0]
