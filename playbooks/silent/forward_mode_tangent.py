"""A forward-mode tangent is lost in a compiled function.

cause: unfaithful tracing
issue: pytorch/pytorch#187284
"""

import torch
import torch.autograd.forward_ad as fwAD


@torch.compiler.disable
def tangent(y):
    return fwAD.unpack_dual(y).tangent


def inputs():
    if fwAD._current_level < 0:
        fwAD.enter_dual_level()
    return (fwAD.make_dual(torch.tensor([1.0, 2.0]), torch.ones(2)),)


def call(x):
    return tangent((x * x).sum())
