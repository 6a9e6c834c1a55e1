"""A quotient by one is the argument itself: what changes the result in place changes both.

cause: aliasing and mutation
issue: pytorch/pytorch#197893
avoid: Divide outside the compiled region if the divisor can be one.
"""

import torch


def inputs():
    return torch.ones(3), 1.0


def call(x, temperature):
    return x / temperature


@torch._dynamo.disable
def divided(x, temperature):
    return x / temperature


def instead(x, temperature):
    return divided(x, temperature)
