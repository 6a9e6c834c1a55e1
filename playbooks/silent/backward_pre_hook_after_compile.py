"""A full backward pre-hook registered after compilation does not run.

cause: stale reuse
issue: pytorch/pytorch#117265
"""

import torch

layer = torch.nn.Identity()


@torch._dynamo.disable
def register(n):
    layer._backward_pre_hooks.clear()
    if n:
        layer.register_full_backward_pre_hook(lambda module, g: (g[0] * 2,))


def inputs():
    return [(torch.ones(3, requires_grad=True), n) for n in range(2)]


def call(x, n):
    register(n)
    return layer(x * 3)
