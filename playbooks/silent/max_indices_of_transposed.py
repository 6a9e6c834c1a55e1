"""`max` over a dimension returns wrong indices when a transposed tensor was added.

cause: code generation
issue: pytorch/pytorch#178964
avoid: Add in a function under `torch.compiler.disable`.
"""

import torch


def inputs():
    return torch.randn(8, 8).t(), torch.randn(8, 8)


def call(a, b):
    return (a + b).max(1)


@torch.compiler.disable
def add(a, b):
    return a + b


def instead(a, b):
    return add(a, b).max(1)
