"""The gradient of `adaptive_max_pool3d` goes to wrong places for a channels-last input.

cause: layout
issue: pytorch/pytorch#197888
avoid: Make the input contiguous.
"""

import torch


def inputs():
    x = torch.randperm(1 * 4 * 4 * 6 * 10).view(1, 4, 4, 6, 10).float()
    return (x.to(memory_format=torch.channels_last_3d).requires_grad_(),)


def call(x):
    return torch.nn.functional.adaptive_max_pool3d(x, (2, 3, 5))


def instead(x):
    return call(x.contiguous())
