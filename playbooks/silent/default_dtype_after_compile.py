"""A tensor made without a dtype keeps the default dtype of the first call.

cause: stale reuse
issue: pytorch/pytorch#184405
avoid: Pass the dtype to the factory function.
"""

import torch


def inputs():
    return [(torch.float32,), (torch.float64,)]


def call(dtype):
    torch.set_default_dtype(dtype)
    torch._dynamo.graph_break()
    y = torch.ones(3)
    torch._dynamo.graph_break()
    torch.set_default_dtype(torch.float32)
    return y


def instead(dtype):
    return torch.ones(3, dtype=dtype)
