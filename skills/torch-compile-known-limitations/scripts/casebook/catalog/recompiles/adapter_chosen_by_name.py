import torch
from torch import nn

from validators.probes import observe

NAMES, RANK = ("anime", "sketch", "oil", "photo"), 2


class LoraLinear(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.base = nn.Linear(width, width)
        self.down, self.up = nn.ModuleDict(), nn.ModuleDict()
        self.scale = nn.ParameterDict()
        self._active_adapter = ["served"]

    def add(self, name, scale):
        width = self.base.in_features
        self.down[name] = nn.Linear(width, RANK, bias=False)
        self.up[name] = nn.Linear(RANK, width, bias=False)
        self.scale[name] = nn.Parameter(torch.tensor(scale), requires_grad=False)

    def forward(self, x):
        y = self.base(x)
        for name in self._active_adapter:
            y = y + self.up[name](self.down[name](x)) * self.scale[name]
        return y


def by_name(layer, name):
    layer._active_adapter = [name]


def in_place(layer, name):
    for part in layer.down, layer.up:
        part["served"].weight.copy_(part[name].weight)
    layer.scale["served"].copy_(layer.scale[name])


def serve(device, switch):
    torch.manual_seed(0)
    layer = LoraLinear(8)
    for scale, name in enumerate(("served", *NAMES), 1):
        layer.add(name, 0.5 * scale)
    layer, x = layer.to(device), torch.randn(3, 8, device=device)
    exact = {}
    with torch.no_grad():
        for name in NAMES:
            by_name(layer, name)
            exact[name] = layer(x)
        by_name(layer, "served")

        compiled = torch.compile(layer, backend="eager", fullgraph=True)

        def calls():
            for name in NAMES:
                switch(layer, name)
                yield (name,)

        # Eager mode's answer is that of the adapter which is meant.
        return observe(
            exact.__getitem__,
            calls(),
            compile=lambda _: lambda name: compiled(x),
            compare=("eager",),
        )


def symptom(device):
    return serve(device, by_name)


def remedy(device):
    return serve(device, in_place)


def shows(report):
    far = max(call.difference.eager for call in report.calls)
    assert report.exception is None and far < 1e-6, (report.exception, far)
    assert len(report.graphs) in (1, len(NAMES)), report.graphs
    return len(report.graphs) == len(NAMES)
