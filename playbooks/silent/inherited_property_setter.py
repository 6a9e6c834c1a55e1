"""A property setter overridden in a subclass is skipped.

cause: unfaithful tracing
issue: pytorch/pytorch#176599
avoid: Set the attribute behind the property.
"""

import torch


class Base:
    @property
    def value(self):
        return self.kept

    @value.setter
    def value(self, v):
        self.kept = v


class Double(Base):
    @Base.value.setter
    def value(self, v):
        Base.value.fset(self, v * 2)


def inputs():
    return (torch.ones(2),)


def call(x):
    d = Double()
    d.value = 3
    return x * d.value


def instead(x):
    d = Double()
    d.kept = 6
    return x * d.value
