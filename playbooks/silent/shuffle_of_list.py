"""`random.shuffle` gives the same order in every call.

cause: stale reuse
issue: pytorch/pytorch#197085
avoid: Shuffle in a function outside the compiled region.
"""

import random

import torch


def inputs():
    random.seed(0)
    return [(torch.arange(8.0),) for _ in range(3)]


def call(x):
    order = list(range(8))
    random.shuffle(order)
    return x[order]


@torch._dynamo.disable
def shuffled():
    order = list(range(8))
    random.shuffle(order)
    return order


def instead(x):
    return x[shuffled()]
