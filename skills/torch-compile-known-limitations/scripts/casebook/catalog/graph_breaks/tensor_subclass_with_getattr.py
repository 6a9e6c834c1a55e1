import torch
from torch import nn

from validators.probes import captured_facts


class ByGetattr(nn.Parameter):
    """Gives what belongs to the quantization as if it were the parameter's own."""

    def __getattr__(self, name):
        quant_state = self.__dict__.get("quant_state", {})
        if name not in quant_state:
            raise AttributeError(name)
        return quant_state[name]


class ByProperties(nn.Parameter):
    @property
    def scale(self):
        return self.quant_state["scale"]

    @property
    def zero_point(self):
        return self.quant_state["zero_point"]


class QuantizedLinear(nn.Module):
    def __init__(self, parameter, device):
        super().__init__()
        weight = torch.arange(16, dtype=torch.uint8, device=device).view(4, 4)
        self.weight = parameter(weight, requires_grad=False)
        self.weight.quant_state = {"scale": 0.5, "zero_point": 3}

    def forward(self, x):
        weight = self.weight.data.float() - self.weight.zero_point
        return nn.functional.linear(x, weight * self.weight.scale)


def called(parameter, device, fullgraph):
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph.forward

    layer, x = QuantizedLinear(parameter, device), torch.ones(2, 4, device=device)
    result = torch.compile(layer, backend=backend, fullgraph=fullgraph)(x)
    return {"graphs": len(graphs), "right": torch.equal(result, layer(x))}


def both(parameter, device):
    return captured_facts(
        default=lambda: called(parameter, device, fullgraph=False),
        fullgraph=lambda: called(parameter, device, fullgraph=True),
    )


def symptom(device):
    return both(ByGetattr, device)


def remedy(device):
    return both(ByProperties, device)


def shows(report):
    if report.facts["default"] == {"graphs": 1, "right": True}:
        assert report.facts["fullgraph"] == {"graphs": 1, "right": True}, report.facts
        return False
    assert report.facts["default"] == {"graphs": 0, "right": True}, report.facts
    assert report.facts["fullgraph.exception"] == "torch._dynamo.exc.Unsupported", report.facts
    return "GetAttrVariable" in report.facts["fullgraph.message"]
