"""A name that is added to the module `builtins` keeps the value of the first call.

cause: stale reuse
avoid: Read it as an attribute of an object of your own.
"""

import builtins
import types

import torch

own = types.SimpleNamespace()


def inputs():
    return [(torch.ones(2), 1), (torch.ones(2), 5)]


@torch.compiler.disable
def change(n):
    builtins.scale_of_all = own.scale = n


def call(x, n):
    change(n)
    return x + scale_of_all  # noqa: F821


def instead(x, n):
    change(n)
    return x + own.scale
