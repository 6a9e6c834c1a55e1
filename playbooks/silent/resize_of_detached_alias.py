"""`resize_` of a detached alias resizes the tensor itself.

cause: aliasing and mutation
issue: pytorch/pytorch#191844
avoid: Clone before `resize_`.
"""

import torch


def inputs():
    return (torch.arange(4.0),)


def call(x):
    y = x + 1
    z = y.detach()
    z.resize_(2)
    return y + 1


def instead(x):
    y = x + 1
    z = y.clone()
    z.resize_(2)
    return y + 1
