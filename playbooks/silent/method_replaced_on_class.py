"""A method that is replaced on the class after the first call keeps running.

cause: stale reuse
issue: pytorch/pytorch#197860
"""

import torch


class Model:
    def run(self, x):
        return x + 1


model = Model()
old = Model.run


def inputs():
    Model.run = old
    model.__dict__.clear()
    return [(torch.ones(2), False), (torch.ones(2), True)]


@torch.compiler.disable
def change(flag):
    if flag:
        Model.run = lambda self, x: x + 5


def call(x, flag):
    change(flag)
    return model.run(x)
