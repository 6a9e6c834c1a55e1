"""`x[[0, 0]] += x[[0, 0]]` adds twice.

cause: unsound fusion
issue: pytorch/pytorch#174074
fixed: pytorch/pytorch#175568
avoid: Use `index_put` with the values cloned.
"""

import torch


def inputs():
    return (torch.tensor([[1.0, 2.0]]),)


def call(x):
    x[[0, 0]] += x[[0, 0]]
    return x


def instead(x):
    x.mul_(2)
    return x
