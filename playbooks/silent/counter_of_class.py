"""A counter on the class, raised when an object is made, is read as it was.

cause: unfaithful tracing
issue: pytorch/pytorch#169253
avoid: Keep the counter in a module-level dictionary.
"""

import torch

total = {"n": 0}


class Node:
    n = 0

    def __init__(self):
        type(self).n += 1


class Leaf:
    def __init__(self):
        total["n"] += 1


def inputs():
    Node.n = total["n"] = 0
    return [(torch.ones(2),), (torch.ones(2),)]


def call(x):
    Node()
    Node()
    return x * Node.n


def instead(x):
    Leaf()
    Leaf()
    return x * total["n"]
