"""`clamp` by a Python float argument keeps the bound of an earlier call.

cause: stale reuse
issue: pytorch/pytorch#194976
avoid: Clamp by `minimum` and `maximum` with tensors.
"""

import torch


def inputs():
    return [(torch.tensor([-3.0, 0.0, 3.0]), bound) for bound in (0.25, 0.5, 1.0, 2.0)]


def call(x, bound):
    return x.clamp(min=-bound, max=bound) * bound


def instead(x, bound):
    return torch.minimum(torch.maximum(x, x * 0 - bound), x * 0 + bound) * bound
