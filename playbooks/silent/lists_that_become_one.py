"""Code compiled for two different lists is reused when both arguments are the same list.

cause: stale reuse
issue: pytorch/pytorch#93722
avoid: Change the lists in a function outside the compiled region.
"""

import torch


def inputs():
    same = []
    return [([], [], torch.ones(2)), (same, same, torch.ones(2))]


def call(a, b, x):
    a.append(x + 1)
    b.append(x - 1)
    return x * (1 + len(a))


@torch._dynamo.disable
def fill(a, b, x):
    a.append(x + 1)
    b.append(x - 1)


def instead(a, b, x):
    fill(a, b, x)
    return x * (1 + len(a))
