import torch
from torch import nn

from validators.probes import captured_facts


def taken_apart(device, hold):
    """Take a network apart after it was compiled, as code for fine-tuning and for features does."""
    network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
    compiled = torch.compile(network, backend="eager")
    layers = hold(network, compiled)
    return captured_facts(
        indexed=lambda: layers[0].out_features,
        iterated=lambda: [type(layer).__name__ for layer in layers],
        called=lambda: list(compiled(torch.ones(3, 4, device=device)).shape),
    )


def symptom(device):
    return taken_apart(device, lambda network, compiled: compiled)


def remedy(device):
    return taken_apart(device, lambda network, compiled: network)


def shows(report):
    facts = report.facts
    assert facts["called"] == [3, 2], facts
    if facts.get("indexed") == 8 and facts.get("iterated") == ["Linear", "ReLU", "Linear"]:
        return False
    words = "'OptimizedModule' object is not"
    assert all(words in facts[f"{way}.message"] for way in ("indexed", "iterated")), facts
    return True
