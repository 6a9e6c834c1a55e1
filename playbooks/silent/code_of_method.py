"""A method whose `__code__` is replaced keeps running its old code.

cause: stale reuse
issue: pytorch/pytorch#197860
avoid: Assign a new method to the instance.
"""

import torch


def first(self, x):
    return x * 2.0


def second(self, x):
    return x * 9.0


class Model:
    def run(self, x):
        return x * 2.0


model = Model()


def inputs():
    model.__dict__.clear()
    return [(torch.ones(2), first.__code__), (torch.ones(2), second.__code__)]


def work(x):
    return model.run(x)


@torch.compiler.disable
def change(code):
    Model.run.__code__ = code


def call(x, code):
    change(code)
    return work(x)


@torch.compiler.disable
def assign(code):
    model.run = type(first)(code, globals()).__get__(model)


def instead(x, code):
    assign(code)
    return work(x)
