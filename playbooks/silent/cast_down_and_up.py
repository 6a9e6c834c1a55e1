"""A cast to float16 and back leaves the numbers unrounded.

cause: unsound fusion
issue: pytorch/pytorch#185337
avoid: Round in a function under `torch.compiler.disable`.
"""

import torch


def inputs():
    return (torch.arange(20.0).view(5, 4).t() / 7,)


def call(x):
    y = x.to(torch.float16).to(torch.float32)
    return y - x


@torch.compiler.disable
def rounded(x):
    return x.to(torch.float16).to(torch.float32)


def instead(x):
    return rounded(x) - x
