"""The name of the type of `x.as_subclass(...)` is that of `x` behind a graph break.

cause: unfaithful tracing
avoid: Read the name from the class.
"""

import torch


class Wrapped(torch.Tensor):
    pass


def inputs():
    return (torch.ones(3),)


def call(x):
    name = type(x.as_subclass(Wrapped)).__name__
    torch._dynamo.graph_break()
    return x * len(name)


def instead(x):
    name = Wrapped.__name__
    torch._dynamo.graph_break()
    return x * len(name)
