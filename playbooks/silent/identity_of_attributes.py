"""A branch on the identity of two attributes is not guarded, so that the first outcome is reused.

cause: stale reuse
issue: pytorch/pytorch#196173
avoid: Compare a number held in the object.
"""

import torch


class Pair:
    def __init__(self, same):
        self.same = same
        self.left = object()
        self.right = self.left if same else object()


def inputs():
    return [(torch.ones(3), Pair(True)), (torch.ones(3), Pair(False))]


def call(x, pair):
    return x + 1 if pair.left is pair.right else x - 1


def instead(x, pair):
    return x + 1 if pair.same else x - 1
