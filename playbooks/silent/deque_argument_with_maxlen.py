"""A `deque` argument loses its `maxlen`, so that `append` lets it grow.

cause: unfaithful tracing
avoid: Make the deque inside, with its `maxlen`.
"""

from collections import deque

import torch


def inputs():
    return torch.ones(2), deque([1, 2], maxlen=2)


def call(x, d):
    d.append(9)
    return x * d[0]


def instead(x, d):
    d = deque(list(d), maxlen=2)
    d.append(9)
    return x * d[0]
