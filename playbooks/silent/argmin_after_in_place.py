"""`argmin` of a transpose after an in-place function returns the place in memory.

cause: code generation
issue: pytorch/pytorch#174073
"""

import torch


def inputs():
    return (torch.tensor([[3.0, 2.0, 5.0], [1.0, 4.0, 6.0]]),)


def call(x):
    x.neg_()
    return x.t().argmax()
