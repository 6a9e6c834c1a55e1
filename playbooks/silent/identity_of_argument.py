"""A branch on `argument is constant` keeps the side of the first call.

cause: stale reuse
issue: pytorch/pytorch#196173
avoid: Compare an attribute of the object.
"""

import torch


class Mode:
    def __init__(self, n):
        self.n = n


FAST, SAFE = Mode(0), Mode(1)


def inputs():
    return [(torch.ones(2), FAST), (torch.ones(2), SAFE)]


def call(x, mode):
    return x + 1 if mode is FAST else x - 1


def instead(x, mode):
    return x + 1 if mode.n == 0 else x - 1
