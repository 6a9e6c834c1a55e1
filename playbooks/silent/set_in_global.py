"""A set in a global variable that changes after the first call is read as it was.

cause: stale reuse
issue: pytorch/pytorch#133509
fixed: pytorch/pytorch#134016
avoid: Use a dict, whose keys are guarded.
"""

import torch

chosen, keys = {1}, {1: None}


def inputs():
    return [(torch.ones(2), 1), (torch.ones(2), 5)]


@torch.compiler.disable
def change(n):
    chosen.clear()
    chosen.add(n)
    keys.clear()
    keys[n] = None


def call(x, n):
    change(n)
    return x * (9 if 5 in chosen else 2)


def instead(x, n):
    change(n)
    return x * (9 if 5 in keys else 2)
