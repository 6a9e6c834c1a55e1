"""`set_default_dtype` in the function has no effect on tensors made after it.

cause: unfaithful tracing
avoid: Pass `dtype`.
"""

import torch

compile = {"backend": "aot_eager"}


def inputs():
    return (torch.ones(2),)


def call(x):
    torch.set_default_dtype(torch.float64)
    y = torch.ones(2)
    torch.set_default_dtype(torch.float32)
    return y, torch.zeros(2)


def instead(x):
    return torch.ones(2, dtype=torch.float64), torch.zeros(2)
