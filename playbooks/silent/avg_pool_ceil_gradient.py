"""The gradient of `avg_pool1d` with `ceil_mode` is too small in the last window.

cause: code generation
issue: pytorch/pytorch#198119
avoid: Pad the input to whole windows, without `ceil_mode`.
"""

import torch


def inputs():
    return (torch.arange(5.0)[None, None].requires_grad_(),)


def call(x):
    return torch.nn.functional.avg_pool1d(x, 3, 3, ceil_mode=True)


def instead(x):
    return torch.cat([x[..., :3].mean(-1, keepdim=True), x[..., 3:].mean(-1, keepdim=True)], -1)
