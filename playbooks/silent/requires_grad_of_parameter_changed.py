"""A graph compiled while a parameter did not require grad is reused after it does.

cause: stale reuse
issue: pytorch/pytorch#139476
"""

import torch

layer = torch.nn.Linear(2, 1)


@torch._dynamo.disable
def freeze(n):
    layer.weight.requires_grad_(n == 1)
    layer.bias.requires_grad_(False)


def inputs():
    return [(torch.ones(1, 2), 0), (torch.ones(1, 2), 1)]


def call(x, n):
    freeze(n)
    y = layer(x)
    torch._dynamo.graph_break()
    return y.requires_grad
