"""An exception inside an `autocast` block of a compiled function leaves autocast on.

cause: unfaithful tracing
issue: pytorch/pytorch#195488
"""

import torch

compile = {"backend": "eager"}


def inner(x, index):
    with torch.autocast("cpu", torch.bfloat16):
        return x.index_select(0, index)


def inputs():
    return torch.ones(2, 2), torch.tensor([9])


def call(x, index):
    try:
        torch._dynamo.graph_break()
        inner(x, index)
    except (IndexError, RuntimeError):
        pass
    return x @ x
