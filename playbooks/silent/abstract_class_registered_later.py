"""`isinstance` of an abstract class that registers the type later keeps its first answer.

cause: stale reuse
avoid: Ask in a function outside the compiled region.
"""

import abc

import torch


class Scaled(abc.ABC):  # noqa: B024
    pass


class Layer:
    pass


def inputs():
    return [(torch.ones(2), False), (torch.ones(2), True)]


@torch.compiler.disable
def change(register):
    if register:
        Scaled.register(Layer)


def call(x, register):
    change(register)
    return x * (9 if isinstance(Layer(), Scaled) else 2)


@torch.compiler.disable
def scaled():
    return isinstance(Layer(), Scaled)


def instead(x, register):
    change(register)
    return x * (9 if scaled() else 2)
