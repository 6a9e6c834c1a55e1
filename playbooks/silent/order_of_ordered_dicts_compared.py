"""`==` of two `OrderedDict` ignores the order.

cause: unfaithful tracing
avoid: Compare the lists of items.
"""

from collections import OrderedDict

import torch


def inputs():
    return (torch.ones(2),)


def call(x):
    a, b = OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)
    return x + 1 if a == b else x - 1


def instead(x):
    a, b = OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)
    return x + 1 if list(a.items()) == list(b.items()) else x - 1
