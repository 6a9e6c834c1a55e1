"""A counter held in a class attribute and raised in each call stays at its first value.

cause: stale reuse
issue: pytorch/pytorch#176851
avoid: Hold the counter in an instance.
"""

import torch


class Calls:
    n = 0


calls = Calls()


def inputs():
    Calls.n = calls.n = 0
    return [(torch.zeros(2),) for _ in range(3)]


def call(x):
    Calls.n += 1
    return x + Calls.n


def instead(x):
    calls.n += 1
    return x + calls.n
