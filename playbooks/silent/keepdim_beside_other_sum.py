"""`sum` with `keepdim=True` loses the dimension if a sum over the other dimension is fused with it.

cause: code generation
issue: pytorch/pytorch#177782
fixed: pytorch/pytorch#177782
avoid: Sum without `keepdim`, and unsqueeze.
needs: triton
"""

import torch


def inputs():
    return (torch.ones(8192, 1024, device="cuda"),)


def call(x):
    return x.sum(1), x.sum(0, keepdim=True)


def instead(x):
    return x.sum(1), x.sum(0).unsqueeze(0)
