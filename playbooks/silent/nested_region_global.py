"""A nested compile region reuses the first value of a global that changes.

cause: stale reuse
issue: pytorch/pytorch#191821
avoid: Pass the value as an argument.
"""

import torch

box = None


@torch.compiler.nested_compile_region
def region():
    return box["x"] + 1


@torch.compiler.nested_compile_region
def other(x):
    return x + 1


def inputs():
    return (torch.zeros(2),)


def call(x):
    global box
    for _ in range(2):
        box = {"x": x}
        x = region()
    return x


def instead(x):
    return other(other(x))
