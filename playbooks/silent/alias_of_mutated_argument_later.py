"""A graph that changes an argument is reused for a later call whose arguments overlap.

cause: stale reuse
issue: pytorch/pytorch#139789
avoid: Break the graph after the change.
"""

import torch


def inputs():
    base = torch.ones(8)
    return [(torch.ones(4), torch.ones(4)), (base[:4], base[2:6])]


def call(x, y):
    x.mul_(2)
    return x + y


def instead(x, y):
    x.mul_(2)
    torch._dynamo.graph_break()
    return x + y
