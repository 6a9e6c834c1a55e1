"""An environment variable that is set after the first call is not seen.

cause: stale reuse
avoid: Read the variable outside, and pass its value as an argument.
"""

import os

import torch


def inputs():
    os.environ.pop("SCALE", None)
    return [(torch.ones(2), None), (torch.ones(2), "5")]


@torch.compiler.disable
def change(value):
    if value:
        os.environ["SCALE"] = value


@torch.compiler.disable
def read():
    return float(os.environ.get("SCALE", "2"))


def call(x, value):
    change(value)
    return x * float(os.environ.get("SCALE", "2"))


def instead(x, value):
    change(value)
    return x * read()
