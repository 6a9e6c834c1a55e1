import types

import torch
from torch import nn

from validators.probes import observe


def shifted(layer, x):
    return layer.proj(x) + 3


def on_the_class(model):
    type(model.layers[0]).forward = shifted


def on_each_layer(model):
    for layer in model.layers:
        layer.forward = types.MethodType(shifted, layer)


def patched_after_the_first_call(device, patch):
    # A class of its own for each arm: a patch would outlive it.
    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.proj = nn.Linear(8, 8)

        def forward(self, x):
            return self.proj(x).relu()

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([Layer(), Layer()])

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    torch.manual_seed(0)
    model, x = Model().to(device), torch.randn(4, 8, device=device)
    compiled = torch.compile(model, backend="eager")

    def calls():
        yield (x,)
        patch(model)
        yield (x,)

    return observe(lambda x: compiled(x), calls(), compile=lambda call: call, compare=("eager",))


def symptom(device):
    return patched_after_the_first_call(device, on_the_class)


def remedy(device):
    return patched_after_the_first_call(device, on_each_layer)


def shows(report):
    assert report.exception is None, report.exception
    before, after = report.calls
    assert before.difference.eager < 1e-5, before
    if after.difference.eager < 1e-5:
        return False
    return after.difference.eager > 0.1 and after.compiled == 0
