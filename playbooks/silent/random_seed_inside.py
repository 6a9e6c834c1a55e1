"""`random.seed` inside the function has no effect in the first call.

cause: unfaithful tracing
issue: pytorch/pytorch#197101
avoid: Seed before the call.
"""

import random

import torch


def inputs():
    return [(torch.zeros(2),), (torch.zeros(2),)]


def call(x):
    random.seed(0)
    return x + random.random()


@torch.compiler.disable
def draw():
    random.seed(0)
    return random.random()


def instead(x):
    return x + draw()
