import torch

from validators.probes import observe

CALLS = 12
RATES = [0.5 / (step + 2) for step in range(CALLS)]


def decay(weight, rate):
    return weight * (1 - rate)


def symptom(device):
    weight = torch.randn(8, 8, device=device)
    return observe(decay, [(weight, rate) for rate in RATES], backend="aot_eager", eager=True)


def remedy(device):
    weight = torch.randn(8, 8, device=device)
    rates = [torch.tensor(rate, device=device) for rate in RATES]
    return observe(decay, [(weight, rate) for rate in rates], backend="aot_eager")


def shows(report):
    assert report.exception is None, report.exception
    # Later releases compile for the first value, and a graph for all others.
    if len(report.graphs) <= 2:
        return False
    found = len(report.graphs), report.eager_calls
    assert found == (8, tuple(range(8, CALLS))), found
    return True
