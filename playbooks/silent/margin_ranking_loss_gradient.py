"""The gradient of `margin_ranking_loss` in bfloat16 is zero where the rounded loss is zero.

cause: type promotion
issue: pytorch/pytorch#185517
avoid: Give a margin that bfloat16 holds exactly.
"""

import torch


def inputs():
    a = torch.full((2,), 1.703125, dtype=torch.bfloat16, requires_grad=True)
    return a, torch.zeros(2, dtype=torch.bfloat16), torch.ones(2, dtype=torch.bfloat16)


def call(x, y, t):
    return torch.nn.functional.margin_ranking_loss(x, y, t, margin=1.7)


def instead(x, y, t):
    return torch.nn.functional.margin_ranking_loss(x, y, t, margin=1.703125)
