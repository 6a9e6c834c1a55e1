"""A global that hides a builtin function after the first call is not seen.

cause: stale reuse
issue: pytorch/pytorch#118156
avoid: Define the global before the first call.
"""

import torch


def count(items):
    return 1 if large else 9


def inputs():
    globals().pop("len", None)
    return [(torch.ones(2), False), (torch.ones(2), True)]


@torch.compiler.disable
def change(hide):
    global large
    large = not hide
    if hide:
        globals()["len"] = count


def call(x, hide):
    change(hide)
    return x + len([1])


def instead(x, hide):
    change(hide)
    return x + count([1])
