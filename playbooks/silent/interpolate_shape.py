"""`interpolate` by a scale returns one element too few with dynamic sizes.

cause: symbolic sizes
issue: pytorch/pytorch#147261
avoid: Pass `size` in place of `scale_factor`.
"""

import torch

compile = {"dynamic": True}


def inputs():
    return (torch.ones(1, 2, 396 * 300),)


def call(x):
    return torch.nn.functional.interpolate(x, scale_factor=1 / 300, mode="linear")


def instead(x):
    return torch.nn.functional.interpolate(x, size=x.shape[-1] // 300, mode="linear")
