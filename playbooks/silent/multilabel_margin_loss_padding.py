"""`multilabel_margin_loss` is wrong where the target is padded with minus one.

cause: decomposition
issue: pytorch/pytorch#185464
avoid: Compute the loss under `torch.compiler.disable`.
"""

import torch


def inputs():
    x = torch.tensor([[1.0, -1.0, 0.5, 0.3, -0.2]], requires_grad=True)
    return x, torch.tensor([[0, 1, -1, -1, -1]])


def call(x, y):
    return torch.nn.functional.multilabel_margin_loss(x, y)


@torch.compiler.disable
def loss(x, y):
    return torch.nn.functional.multilabel_margin_loss(x, y)


def instead(x, y):
    return loss(x, y)
