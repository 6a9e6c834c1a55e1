"""A generator that reads the list it extends sees the list as it was before.

cause: unfaithful tracing
issue: pytorch/pytorch#130975
avoid: Append in a loop.
"""

import torch


def inputs():
    return (torch.ones(1),)


def call(x):
    y = [x]
    y.extend(y[-1] + 2 for _ in range(2))
    return torch.cat(y)


def instead(x):
    y = [x]
    for _ in range(2):
        y.append(y[-1] + 2)
    return torch.cat(y)
