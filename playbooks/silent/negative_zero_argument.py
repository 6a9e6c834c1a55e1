"""A call with -0.0 reuses what was compiled for 0.0.

cause: stale reuse
avoid: Take the sign in a function under `torch.compiler.disable`.
"""

import math

import torch


def inputs():
    return [(torch.ones(2), 0.0), (torch.ones(2), -0.0)]


def call(x, a):
    return x * math.copysign(2.0, a)


@torch.compiler.disable
def sign(a):
    return math.copysign(2.0, a)


def instead(x, a):
    return x * sign(a)
