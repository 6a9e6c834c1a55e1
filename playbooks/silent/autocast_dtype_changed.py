"""`torch.get_autocast_dtype` keeps the dtype of the first call.

cause: stale reuse
issue: pytorch/pytorch#191110
avoid: Ask in a function outside the compiled region.
"""

import torch


def inputs():
    return [(torch.ones(2), torch.bfloat16), (torch.ones(2), torch.float16)]


@torch.compiler.disable
def change(dtype):
    torch.set_autocast_dtype("cpu", dtype)


def work(x):
    return x.to(torch.get_autocast_dtype("cpu"))


def call(x, dtype):
    change(dtype)
    y = work(x)
    change(torch.bfloat16)
    return y


@torch.compiler.disable
def current():
    return torch.get_autocast_dtype("cpu")


def instead(x, dtype):
    change(dtype)
    y = x.to(current())
    change(torch.bfloat16)
    return y
