"""`argmax` of an int8 tensor reads vector lanes that hold nothing.

cause: code generation
issue: pytorch/pytorch#191543
avoid: Cast to int32 first.
"""

import torch


def inputs():
    return (
        -1 - torch.arange(100, dtype=torch.int8).view(4, 25),
        100 + torch.arange(64, dtype=torch.uint8).view(1, 64),
    )


def call(x, y):
    return x.argmax(1), y.argmin(1), x.argmin(), y.argmax()


def instead(x, y):
    return x.int().argmax(1), y.int().argmin(1), x.int().argmin(), y.int().argmax()
