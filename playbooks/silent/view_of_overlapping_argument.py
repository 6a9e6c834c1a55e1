"""A returned view of an argument that overlaps a changed argument shows the wrong rows.

cause: aliasing and mutation
issue: pytorch/pytorch#198095
avoid: Clone the returned view.
"""

import torch


def inputs():
    x = torch.arange(24.0).reshape(4, 6).clone()
    return x, x[1:]


def call(x, y):
    x.add_(100)
    return y[0]


def instead(x, y):
    x.add_(100)
    return y[0].clone()
