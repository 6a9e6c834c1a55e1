"""An entry of a module's `__dict__` that hides a submodule is ignored.

cause: stale reuse
issue: pytorch/pytorch#197859
avoid: Assign the submodule as an attribute.
"""

import torch


class Wrapper(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sub = torch.nn.ReLU()

    def forward(self, x):
        return self.sub(x)


model = Wrapper()


def inputs():
    model.__dict__.pop("sub", None)
    model.sub = torch.nn.ReLU()
    return [(-torch.ones(2), False), (-torch.ones(2), True)]


@torch.compiler.disable
def change(flag):
    if flag:
        object.__setattr__(model, "sub", torch.nn.Identity())


def call(x, flag):
    change(flag)
    return model(x)


@torch.compiler.disable
def assign(flag):
    if flag:
        model.sub = torch.nn.Identity()


def instead(x, flag):
    assign(flag)
    return model(x)
