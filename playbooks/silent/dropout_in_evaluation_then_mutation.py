"""`dropout` outside training returns a copy, so that an in-place change of its result is lost.

cause: decomposition
issue: pytorch/pytorch#195422
avoid: Change the argument itself in place.
"""

import torch


def inputs():
    return (torch.ones(4),)


def call(x):
    y = torch.nn.functional.dropout(x, 0.5, training=False)
    y += 1
    return y.sum()


def instead(x):
    x += 1
    return x.sum()
