"""A `random.Random` instance draws the same number in every call.

cause: stale reuse
issue: pytorch/pytorch#145445
avoid: Draw in a function outside the compiled region.
"""

import random

import torch


def inputs():
    r = random.Random(0)
    return [(torch.zeros(1), r) for _ in range(3)]


def call(x, r):
    return x + r.randint(1, 100)


@torch._dynamo.disable
def draw(r):
    return r.randint(1, 100)


def instead(x, r):
    return x + draw(r)
