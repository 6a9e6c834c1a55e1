"""An assignment to a property with a setter replaces the property on that object.

cause: unfaithful tracing
issue: pytorch/pytorch#176599
fixed: pytorch/pytorch#176624
avoid: Set the attribute behind the property.
"""

import torch


class Box:
    def __init__(self):
        self.v = 3

    @property
    def value(self):
        return self.v + 1

    @value.setter
    def value(self, v):
        self.v = 2 * v


def inputs():
    return (torch.zeros(1),)


def call(x):
    box = Box()
    box.value = 5
    return x + box.value


def instead(x):
    box = Box()
    box.v = 10
    return x + box.value
