"""`x in [x]` is a tensor instead of `True`.

cause: unfaithful tracing
issue: pytorch/pytorch#111544
avoid: Test with `any(v is x for v in values)`.
"""

import torch


def inputs():
    return (torch.zeros(1),)


def call(x):
    return x + 1, (x in [x])


def instead(x):
    return x + 1, any(v is x for v in [x])
