"""`isinstance` does not see an assignment to `__class__`.

cause: unfaithful tracing
issue: pytorch/pytorch#174050
fixed: pytorch/pytorch#174761
avoid: Make a new object of the other class.
"""

import torch


class A:
    pass


class B:
    pass


def inputs():
    return (torch.ones(2),)


def call(x):
    a = A()
    a.__class__ = B
    return x + 1 if isinstance(a, B) else x - 1


def instead(x):
    return x + 1 if isinstance(B(), B) else x - 1
