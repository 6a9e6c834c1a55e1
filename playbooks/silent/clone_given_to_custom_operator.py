"""A clone of the tensor that a custom operator changes is replaced by the tensor itself.

cause: aliasing and mutation
issue: pytorch/pytorch#198031
"""

import torch

if not hasattr(torch.ops.silent, "reverse"):

    @torch.library.custom_op("silent::reverse", mutates_args=("target",))
    def reverse(source: torch.Tensor, target: torch.Tensor) -> None:
        for k in range(len(source)):
            target[len(source) - 1 - k] = source[k]


def inputs():
    return (torch.arange(8.0),)


def call(x):
    torch.ops.silent.reverse(x.clone(), x)
    return x * 2
