import torch
from torch import nn

from validators.probes import captured_facts


class Recorder:
    """Sees a layer's input by a bound method, as tensor parallelism and offloading do."""

    def __init__(self):
        self.calls = 0

    def before(self, module, args):
        self.calls += 1


def shift(module, args):
    return (args[0] + 1.0,)


def prepended(layer):
    layer.register_forward_pre_hook(Recorder().before)
    layer.register_forward_pre_hook(shift, prepend=True)


def in_order_of_calls(layer):
    layer.register_forward_pre_hook(shift)
    layer.register_forward_pre_hook(Recorder().before)


def called(register, device):
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph.forward

    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU()).to(device)
    register(model[0])
    x = torch.ones(2, 4, device=device)
    result = torch.compile(model, backend=backend)(x)
    return {"graphs": len(graphs), "right": torch.allclose(result, model[0](x).relu())}


def symptom(device):
    return captured_facts(call=lambda: called(prepended, device))


def remedy(device):
    return captured_facts(call=lambda: called(in_order_of_calls, device))


def shows(report):
    said = report.facts.get("call.message", "")
    if not said:
        assert report.facts["call"] == {"graphs": 1, "right": True}, report.facts
        return False
    assert "'function' object has no attribute '__func__'" in said, said
    return True
