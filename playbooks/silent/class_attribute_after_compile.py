"""A class attribute that changes after compilation keeps its first value.

cause: stale reuse
issue: pytorch/pytorch#176851
avoid: Pass the value as an argument.
"""

import torch


class Scale:
    factor = 1.0


@torch._dynamo.disable
def set_factor(factor):
    Scale.factor = factor


def inputs():
    return [(torch.ones(3), 2.0), (torch.ones(3), 10.0)]


def call(x, factor):
    set_factor(factor)
    return x * Scale.factor


def instead(x, factor):
    set_factor(factor)
    return x * factor
