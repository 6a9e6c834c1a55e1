"""A dict takes two objects as different keys whose own `__hash__` and `__eq__` make them equal.

cause: unfaithful tracing
avoid: Use a frozen dataclass as the key.
"""

import dataclasses

import torch


class Key:
    def __hash__(self):
        return 3

    def __eq__(self, other):
        return isinstance(other, Key)


@dataclasses.dataclass(frozen=True)
class Frozen:
    pass


def inputs():
    return (torch.ones(2),)


def call(x):
    d = {Key(): 1}
    d[Key()] = 2
    return x + len(d)


def instead(x):
    d = {Frozen(): 1}
    d[Frozen()] = 2
    return x + len(d)
