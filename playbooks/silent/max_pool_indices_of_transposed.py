"""`adaptive_max_pool2d` returns transposed indices for a transposed input.

cause: code generation
issue: pytorch/pytorch#197434
fixed: pytorch/pytorch#197596
avoid: Make the input contiguous under `torch.compiler.disable`.
"""

import torch


def inputs():
    return (torch.randn(2, 4, 12, 12).transpose(2, 3),)


def call(x):
    return torch.nn.functional.adaptive_max_pool2d(x, (2, 2), return_indices=True)[1]


@torch.compiler.disable
def copy(x):
    return x.contiguous()


def instead(x):
    return call(copy(x))
