"""`torch._foreach_sub` ignores `alpha`.

cause: code generation
issue: pytorch/pytorch#184415
avoid: Subtract the scaled tensors one by one.
"""

import torch


def inputs():
    return [torch.ones(4), torch.ones(4)], [torch.ones(4), torch.ones(4)]


def call(a, b):
    return torch._foreach_sub(a, b, alpha=2.0)


def instead(a, b):
    return [x - 2.0 * y for x, y in zip(a, b)]
