"""`move_to_end` of an `OrderedDict` between two calls is not noticed.

cause: stale reuse
avoid: Read the order in a function outside the compiled region.
"""

from collections import OrderedDict

import torch

d = OrderedDict()


@torch._dynamo.disable
def reorder(n):
    d.clear()
    d.update(a=3, b=2)
    if n:
        d.move_to_end("a")


def inputs():
    return [(torch.ones(2), 0), (torch.ones(2), 1)]


def call(x, n):
    reorder(n)
    return x * next(iter(d.values()))


@torch._dynamo.disable
def first():
    return next(iter(d.values()))


def instead(x, n):
    reorder(n)
    return x * first()
