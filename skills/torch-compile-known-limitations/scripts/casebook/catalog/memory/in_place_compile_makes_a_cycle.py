import gc
import weakref

import torch
from torch import nn

from validators.probes import captured_facts


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 64)

    def forward(self, x):
        return self.layer(x).relu()


def in_place(model, backend):
    model.compile(backend=backend)
    return model


def wrapped(model, backend):
    return torch.compile(model, backend=backend)


def unload(device, compiled_by):
    """Use a model once, give up all references to it, and look for its weight."""
    graphs = []

    def counting(graph_module, _inputs):
        graphs.append(1)
        return graph_module

    model = Model().to(device)
    weight = weakref.ref(model.layer.weight)
    # Without this it is chance when a collection comes by itself.
    gc.collect()
    gc.disable()
    try:
        run = compiled_by(model, counting)
        run(torch.randn(2, 64, device=device))
        del model, run
        kept = weight() is not None
    finally:
        gc.enable()
    gc.collect()
    return {"kept": kept, "kept after collection": weight() is not None, "graphs": len(graphs)}


def symptom(device):
    return captured_facts(weight=lambda: unload(device, in_place))


def remedy(device):
    return captured_facts(weight=lambda: unload(device, wrapped))


def shows(report):
    weight = report.facts["weight"]
    assert weight["graphs"] == 1 and not weight["kept after collection"], weight
    return weight["kept"]
