"""A branch on `x is y`, where `y` is a global tensor, keeps the side of the first call.

cause: stale reuse
issue: pytorch/pytorch#184830
avoid: Compare in a function outside the compiled region.
"""

import torch

a, b = torch.ones(2), torch.ones(2)


def inputs():
    return [(a,), (b,)]


def call(x):
    return x + 1 if x is a else x - 1


@torch._dynamo.disable
def is_a(x):
    return x is a


def instead(x):
    return x + 1 if is_a(x) else x - 1
