"""A dict takes `1`, `True` and `1.0` as three keys.

cause: unfaithful tracing
avoid: Use keys of one type.
"""

import torch


def inputs():
    return (torch.ones(2),)


def call(x):
    d = {1: 2}
    d[True] = 5
    d[1.0] = 7
    return x * len(d) * d[1]


def instead(x):
    d = {1: 2}
    d[int(True)] = 5
    d[int(1.0)] = 7
    return x * len(d) * d[1]
