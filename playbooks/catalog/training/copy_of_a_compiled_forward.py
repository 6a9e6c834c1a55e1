import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from validators.probes import captured_facts


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)


def train(device, compile_):
    """Three steps with an average of the weights beside them, then what the average answers."""
    torch.manual_seed(0)
    model, x = Network().to(device), torch.randn(6, 4, device=device)
    online = compile_(model)
    average = AveragedModel(online, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for _ in range(3):
        optimizer.zero_grad()
        online(x).square().sum().backward()
        optimizer.step()
        average.update_parameters(online)
    exact = Network().to(device)
    with torch.no_grad():
        for own, averaged in zip(exact.parameters(), average.module.parameters(), strict=True):
            own.copy_(averaged)
        answer = average(x)
        return {
            "from_own": (answer - exact(x)).abs().max().item(),
            "from_online": (answer - model(x)).abs().max().item(),
            "parted": (exact(x) - model(x)).abs().max().item(),
        }


def replaced_forward(model):
    model.forward = torch.compile(model.forward, backend="eager", fullgraph=True)
    return model


def wrapper(model):
    return torch.compile(model, backend="eager", fullgraph=True)


def symptom(device):
    return captured_facts(average=lambda: train(device, replaced_forward))


def remedy(device):
    return captured_facts(average=lambda: train(device, wrapper))


def shows(report):
    answer = report.facts["average"]
    assert answer["parted"] > 0.01, answer
    if answer["from_own"] < 1e-6:
        assert answer["from_online"] > 0.01, answer
        return False
    return answer["from_online"] == 0 and answer["from_own"] > 0.01
