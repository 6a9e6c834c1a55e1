"""`*=` of a list argument does not reach the caller's list.

cause: unfaithful tracing
avoid: Extend the list by itself.
"""

import torch


def inputs():
    items = [1, 2]
    return [(torch.ones(2), items), (torch.ones(2), items)]


def call(x, items):
    n = len(items)
    items *= 2
    return x * n


def instead(x, items):
    n = len(items)
    items.extend(list(items))
    return x * n
