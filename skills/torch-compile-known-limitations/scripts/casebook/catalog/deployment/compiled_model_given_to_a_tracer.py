import torch
from torch import nn

from validators.probes import captured_facts


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        return self.linear(x).relu()


def scale(x):
    return x * 2


def traced(model, function, device):
    """Trace what was compiled, as an exporter or a counter of FLOPs does."""
    x = torch.randn(3, 4, device=device)

    def same(program, original):
        return torch.equal(program(x), original(x))

    return captured_facts(
        jit=lambda: same(torch.jit.trace(model, x), model),
        fx=lambda: same(torch.fx.symbolic_trace(lambda x: function(x) + 1), lambda x: x * 2 + 1),
    )


def compiled(device):
    model = torch.compile(Head().to(device), backend="eager")
    return model, torch.compile(scale, backend="eager")


def symptom(device):
    model, function = compiled(device)
    return traced(model, function, device)


def remedy(device):
    model, _ = compiled(device)
    return traced(model._orig_mod, scale, device)


def shows(report):
    facts = report.facts
    if facts.get("jit") is True and facts.get("fx") is True:
        return False
    jit, fx = facts.get("jit.message", ""), facts.get("fx.message", "")
    assert "using FX to torch.jit.trace" in jit and "using FX to symbolically trace" in fx, facts
    return True
