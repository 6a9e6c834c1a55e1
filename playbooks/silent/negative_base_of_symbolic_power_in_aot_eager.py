"""`(-1) ** n` with a symbolic size `n` is always -1 in the backends that run the graph's own code.

cause: code generation
issue: pytorch/pytorch#197894
avoid: Decide the sign by the remainder of the size by 2.
"""

import torch

compile = {"dynamic": True, "backend": "aot_eager"}


def inputs():
    return (torch.ones(4),)


def call(x):
    return x * (-1) ** x.shape[0]


def instead(x):
    return x * (1 if x.shape[0] % 2 == 0 else -1)
