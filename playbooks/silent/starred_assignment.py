"""The starred name of an unpacking assignment is a tuple instead of a list.

cause: unfaithful tracing
avoid: Call `list` on the starred name.
"""

import torch


def inputs():
    return (torch.ones(2),)


def call(x):
    a, *b = (1, 2, 3)
    return x * 2 if isinstance(b, list) else x * 3


def instead(x):
    a, *b = (1, 2, 3)
    b = list(b)
    return x * 2 if isinstance(b, list) else x * 3
