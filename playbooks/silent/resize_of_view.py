"""`resize_` of a view of a new tensor resizes the tensor itself.

cause: aliasing and mutation
issue: pytorch/pytorch#191449
avoid: Clone before `resize_`.
"""

import torch


def inputs():
    return (torch.zeros(1),)


def call(x):
    y = x + 1
    z = y.view(-1)
    z.resize_(0)
    return y + 1


def instead(x):
    y = x + 1
    z = y.clone()
    z.resize_(0)
    return y + 1
