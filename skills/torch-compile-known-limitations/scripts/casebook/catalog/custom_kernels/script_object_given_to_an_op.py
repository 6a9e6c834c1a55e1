import torch
from torch import nn

from validators.probes import captured_facts

LIBRARY = torch.library.Library("casebook", "FRAGMENT")
PACKED = "__torch__.torch.classes.quantized.LinearPackedParamsBase"
SCALE = 0.25


def by_object(x, packed):
    """Stands for a kernel of an extension, as its sister below."""
    weight, _ = torch.ops.quantized.linear_unpack(packed)
    return x @ weight.dequantize().t()


def by_tensor(x, weight, scale):
    return x @ (weight * scale).t()


def define(kernel, parameters):
    LIBRARY.define(f"{kernel.__name__}(Tensor x, {parameters}) -> Tensor")
    LIBRARY.impl(kernel.__name__, kernel, "CPU")
    torch.library.register_fake(f"casebook::{kernel.__name__}", lambda x, *_: x.new_empty(2, 3))
    return getattr(torch.ops.casebook, kernel.__name__)


class QuantizedLinear(nn.Module):
    def __init__(self, op, *weight):
        super().__init__()
        self.op, self.weight = op, weight

    def forward(self, x):
        return self.op(x.relu(), *self.weight) + 1


def called(layer, fullgraph):
    ops = []

    def backend(graph, inputs):
        ops.append(sum("casebook" in str(node.target) for node in graph.graph.nodes))
        return graph.forward

    x = torch.arange(8.0).view(2, 4)
    result = torch.compile(layer, backend=backend, fullgraph=fullgraph)(x)
    return {"graphs": len(ops), "ops_in_graphs": sum(ops), "right": torch.equal(result, layer(x))}


def both(layer):
    return captured_facts(
        default=lambda: called(layer, fullgraph=False),
        fullgraph=lambda: called(layer, fullgraph=True),
    )


def symptom(device):
    weight = torch.quantize_per_tensor(torch.ones(3, 4), SCALE, 0, torch.qint8)
    packed = torch.ops.quantized.linear_prepack(weight, None)
    return both(QuantizedLinear(define(by_object, f"{PACKED} packed"), packed))


def remedy(device):
    weight = torch.full((3, 4), 4, dtype=torch.int8)
    op = define(by_tensor, "Tensor weight, float scale")
    return both(QuantizedLinear(op, weight, SCALE))


def shows(report):
    whole = {"graphs": 1, "ops_in_graphs": 1, "right": True}
    if report.facts["default"] == whole:
        assert report.facts["fullgraph"] == whole, report.facts
        return False
    assert report.facts["default"] == {"graphs": 2, "ops_in_graphs": 0, "right": True}, report.facts
    said = report.facts["fullgraph.message"]
    assert "UserDefinedObjectVariable(ScriptObject)" in said, said
    return True
