"""`stride()` after `unsqueeze_` is that of the tensor before.

cause: unfaithful tracing
issue: pytorch/pytorch#185888
fixed: pytorch/pytorch#187890
avoid: Use `unsqueeze` and bind its result.
"""

import torch


def inputs():
    return (torch.arange(4.0).reshape(2, 2),)


def call(x):
    y = x.clone()
    y.unsqueeze_(0)
    return y * len(y.stride())


def instead(x):
    y = x.clone().unsqueeze(0)
    return y * len(y.stride())
