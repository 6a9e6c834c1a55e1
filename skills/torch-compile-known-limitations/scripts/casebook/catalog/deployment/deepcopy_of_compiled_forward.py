import copy
import pickle

import torch
from torch import nn

from validators.probes import captured_facts


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x):
        return x * self.weight


def forward_replaced(model):
    model.forward = torch.compile(model.forward, backend="eager")


def in_place(model):
    model.compile(backend="eager")


def averaged(device, compile_it):
    """Keep a copy with weights of its own beside the model, as an EMA or a reference model is."""
    x = torch.ones(3, device=device)

    def outputs():
        model = Scorer().to(device)
        compile_it(model)
        model(x)
        average = copy.deepcopy(model)
        with torch.no_grad():
            average.weight.fill_(5.0)
        return [model(x)[0].item(), average(x)[0].item()]

    def pickled():
        model = Scorer().to(device)
        compile_it(model)
        return pickle.loads(pickle.dumps(model))(x)[0].item()

    return captured_facts(outputs=outputs, pickled=pickled)


def symptom(device):
    return averaged(device, forward_replaced)


def remedy(device):
    return averaged(device, in_place)


def shows(report):
    facts = report.facts
    if facts["outputs"] == [2.0, 5.0] and facts.get("pickled") == 2.0:
        return False
    assert facts["outputs"] == [2.0, 2.0], facts
    assert "not the same object" in facts["pickled.message"], facts
    return True
