"""`move_to_end` of an `OrderedDict` argument is lost.

cause: unfaithful tracing
issue: pytorch/pytorch#198189
avoid: Take the entry out with `pop`, and assign it again.
"""

from collections import OrderedDict

import torch


def inputs():
    return torch.ones(2), OrderedDict(a=1, b=2)


def call(x, d):
    d.move_to_end("a")
    torch._dynamo.graph_break()
    return x * next(iter(d.values()))


def instead(x, d):
    d["a"] = d.pop("a")
    torch._dynamo.graph_break()
    return x * next(iter(d.values()))
