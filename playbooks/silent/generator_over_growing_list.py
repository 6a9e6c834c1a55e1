"""A generator that appends to the list it loops over stops after the first element.

cause: unfaithful tracing
issue: pytorch/pytorch#175855
avoid: Loop with `while` over an index.
"""

import torch


def inputs():
    return (torch.ones(2),)


def grow(values):
    for v in values:
        if len(values) < 3:
            values.append(v + 1)
        yield v


def call(x):
    return torch.stack(list(grow([x])))


def instead(x):
    values = [x]
    while len(values) < 3:
        values.append(values[-1] + 1)
    return torch.stack(values)
