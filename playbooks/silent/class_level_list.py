"""`append` to a list that is an attribute of a class is lost.

cause: unfaithful tracing
issue: pytorch/pytorch#169253
avoid: Keep the list in a global variable.
"""

import torch

kept = []


class Log:
    items = []


def inputs():
    kept.clear()
    Log.items.clear()
    return [(torch.ones(2), 0), (torch.ones(2), 1)]


def call(x, n):
    Log.items.append(n)
    torch._dynamo.graph_break()
    return x * (2 + len(Log.items))


def instead(x, n):
    kept.append(n)
    torch._dynamo.graph_break()
    return x * (2 + len(kept))
