import torch

from validators.probes import observe

CALLS = 12


def decay(weight, rate):
    return weight * (1 - rate)


def symptom(device):
    weight = torch.randn(8, 8, device=device)
    with torch._dynamo.config.patch(specialize_float=True):
        return observe(decay, [(weight, 0.5 / (step + 2)) for step in range(CALLS)], eager=True)


def remedy(device):
    weight = torch.randn(8, 8, device=device)
    rates = [torch.tensor(0.5 / (step + 2), device=device) for step in range(CALLS)]
    with torch._dynamo.config.patch(specialize_float=True):
        return observe(decay, [(weight, rate) for rate in rates])


def shows(report):
    assert report.exception is None, report.exception
    if len(report.graphs) == 1:
        return False
    assert all("rate == 0." in it.reasons[0] for it in report.recompiles), report.recompiles
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
