import torch
from torch._functorch import config
from torch.nn.functional import dropout
from torch.utils.checkpoint import checkpoint

from validators.probes import captured_facts


def body(x):
    return dropout(x.sin(), 0.5)


def checkpointed(x):
    return checkpoint(body, x, use_reentrant=False)


def disagreeing(function, device):
    """How many of 1024 elements have another factor, 0 or 2, in forward than in backward."""
    x = torch.linspace(0.5, 1, 1024, device=device).requires_grad_()
    y = function(x)
    y.sum().backward()
    forward, backward = (y / x.sin()).round(), (x.grad / x.cos()).round()
    return int((forward != backward).sum())


def train(device, function, budget):
    with config.patch(activation_memory_budget=budget):
        compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
        return captured_facts(
            eager=lambda: disagreeing(function, device),
            compiled=lambda: disagreeing(compiled, device),
        )


def symptom(device):
    return train(device, body, budget=0.5)


def remedy(device):
    return train(device, checkpointed, budget=1.0)


def shows(report):
    eager, compiled = report.facts["eager"], report.facts["compiled"]
    assert eager == 0 and (compiled == 0 or 400 < compiled < 624), report.facts
    return compiled > 0
