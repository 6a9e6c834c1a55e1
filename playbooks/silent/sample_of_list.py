"""`random.sample` picks the same elements in every call.

cause: stale reuse
issue: pytorch/pytorch#197085
avoid: Sample in a function outside the compiled region.
"""

import random

import torch


def inputs():
    random.seed(0)
    return [(torch.arange(9.0),) for _ in range(3)]


def call(x):
    return x[random.sample(range(9), 3)]


@torch._dynamo.disable
def pick():
    return random.sample(range(9), 3)


def instead(x):
    return x[pick()]
