"""`!=` of objects that define only `__eq__` compares which object it is.

cause: unfaithful tracing
issue: pytorch/pytorch#142055
avoid: Write `not a == b`.
"""

import torch


class Point:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


def inputs():
    return (torch.ones(2),)


def call(x):
    return x + 1 if Point(1) != Point(1) else x - 1


def instead(x):
    return x - 1 if Point(1) == Point(1) else x + 1
