import copy

import torch
from torch import nn

from validators.probes import captured_facts


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)


def calls(device, compile_copy):
    """Compiled graphs that run in two calls of a module and in two of its copy."""
    torch.manual_seed(0)
    runs = []

    def backend(module, _):
        return lambda *inputs: (runs.append(1), module(*inputs))[1]

    model, x = Network().to(device), torch.randn(6, 4, device=device)
    model.compile(backend=backend, fullgraph=True)
    target = copy.deepcopy(model)
    if compile_copy:
        target.compile(backend=backend, fullgraph=True)
    found = {}
    for name, module in {"original": model, "copy": target}.items():
        before = len(runs)
        outputs = [module(x), module(x)]
        found[name] = len(runs) - before
        found[f"{name}_is_right"] = all(torch.allclose(y, module.layers(x)) for y in outputs)
    return found


def symptom(device):
    return captured_facts(calls=lambda: calls(device, compile_copy=False))


def remedy(device):
    return captured_facts(calls=lambda: calls(device, compile_copy=True))


def shows(report):
    found = report.facts["calls"]
    assert found["original"] == 2 and found["original_is_right"], found
    assert found["copy_is_right"] and found["copy"] in (0, 2), found
    return found["copy"] == 0
