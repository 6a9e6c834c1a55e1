import torch
from torch import nn

from validators.probes import observe

compiled = torch.compile(backend="eager")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)

    @compiled
    @torch.no_grad()
    def forward(self, x):
        return self.proj(x).relu()


class EncoderWithBlock(Encoder):
    @compiled
    def forward(self, x):
        with torch.no_grad():
            return self.proj(x).relu()


class Model(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.encoder(x))


def called_by_a_compiled_model(device, encoder):
    torch.manual_seed(0)
    model = Model(encoder()).to(device)
    calls = [(torch.randn(4, 8, device=device),) for _ in range(2)]
    return observe(model, calls, compare=("eager", "gradients"))


def symptom(device):
    return called_by_a_compiled_model(device, Encoder)


def remedy(device):
    return called_by_a_compiled_model(device, EncoderWithBlock)


def shows(report):
    if report.exception is None:
        far = [(call.difference.eager, call.difference.gradients_eager) for call in report.calls]
        assert max(map(max, far)) < 1e-5 and not report.graph_breaks, far
        return False
    # Dynamo hands its graph to the backend, then fails to make the guards.
    (call,) = report.calls
    return call.executions == 0
