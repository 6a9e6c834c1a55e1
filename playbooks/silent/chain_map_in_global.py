"""A `ChainMap` keeps the value of the first call after a key is added to its first dict.

cause: stale reuse
avoid: Look the key up in the dicts themselves.
"""

from collections import ChainMap

import torch

first, second = {}, {"k": 1}
chain = ChainMap(first, second)


def inputs():
    first.clear()
    return [(torch.ones(2), 1), (torch.ones(2), 5)]


@torch.compiler.disable
def change(n):
    if n > 1:
        first["k"] = n


def call(x, n):
    change(n)
    return x + chain["k"]


def instead(x, n):
    change(n)
    return x + (first["k"] if "k" in first else second["k"])
