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


class ByProperty(nn.Parameter):
    @property
    def scale(self):
        return self.quant_state["scale"]


class QuantizedLinear(nn.Module):
    def __init__(self, parameter, device):
        super().__init__()
        weight = torch.arange(16, dtype=torch.uint8, device=device).view(4, 4)
        self.weight = parameter(weight, requires_grad=False)
        self.weight.quant_state = {"scale": 0.5}

    def scale_or_one(self, x):
        weight = self.weight.data.float()
        return nn.functional.linear(x, weight * getattr(self.weight, "scale", 1.0))

    def scale_if_there(self, x):
        y = nn.functional.linear(x, self.weight.data.float())
        return y * 0.5 if hasattr(self.weight, "scale") else y


def factors(parameter, device):
    """How many times too large the output of each way is, as one graph."""
    layer, x = QuantizedLinear(parameter, device), torch.ones(2, 4, device=device)

    def factor(forward):
        compiled = torch.compile(forward, fullgraph=True, backend="eager")(x)
        return (compiled / forward(x)).unique().tolist()

    return captured_facts(
        getattr=lambda: factor(layer.scale_or_one), hasattr=lambda: factor(layer.scale_if_there)
    )


def symptom(device):
    return factors(ByGetattr, device)


def remedy(device):
    return factors(ByProperty, device)


def shows(report):
    found = report.facts["getattr"], report.facts["hasattr"]
    assert found in (([2.0], [2.0]), ([1.0], [1.0])), found
    return found == ([2.0], [2.0])
