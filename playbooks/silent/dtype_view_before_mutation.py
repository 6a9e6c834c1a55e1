"""A value computed from a dtype view of an argument sees a later in-place change of that argument.

cause: aliasing and mutation
issue: pytorch/pytorch#198101
avoid: Break the graph before the change of the argument.
"""

import torch


def inputs():
    return (torch.arange(-12, 12).reshape(4, 6),)


def call(x):
    y = x.view(torch.int32) * 2
    y.sub_(-4)
    x[:, 2:5] = 2
    return y.view(torch.int64)


def instead(x):
    y = x.view(torch.int32) * 2
    y.sub_(-4)
    torch._dynamo.graph_break()
    x[:, 2:5] = 2
    return y.view(torch.int64)
