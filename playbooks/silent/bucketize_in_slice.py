"""`bucketize` with a slice as boundaries searches from the start of the sliced tensor.

cause: code generation
issue: pytorch/pytorch#160964
fixed: pytorch/pytorch#184043
avoid: Count the boundaries below each value.
needs: triton
"""

import torch


def inputs():
    return torch.tensor([2.5, 4.5, 5.5], device="cuda"), torch.arange(10.0, device="cuda")


def call(x, edges):
    return torch.bucketize(x, edges[1:])


def instead(x, edges):
    return (edges[1:] < x[:, None]).sum(1)
