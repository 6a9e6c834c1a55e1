"""A loop over a list does not visit what the loop appends to the list.

cause: unfaithful tracing
issue: pytorch/pytorch#175855
avoid: Grow the list with `while`.
"""

import torch


def inputs():
    return (torch.ones(2),)


def call(x):
    values = [x]
    for v in values:
        if len(values) < 3:
            values.append(v + 1)
    total = 0
    for v in values:
        total = total + v
    return total


def instead(x):
    values = [x]
    while len(values) < 3:
        values.append(values[-1] + 1)
    return sum(values)
