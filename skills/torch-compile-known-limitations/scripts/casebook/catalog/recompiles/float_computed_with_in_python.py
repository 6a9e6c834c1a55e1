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
    if len(report.graphs) == 1:
        return False
    if len(report.graphs) == 2:
        # The first value, and a graph for all others: later releases do so with floats alone.
        assert all(" == 0." in it.reasons[0] for it in report.recompiles), report.recompiles
        return False
    assert all("rate" in it.reasons[0] and " == 0." in it.reasons[0] for it in report.recompiles)
    found = len(report.graphs), report.eager_calls
    assert found == (8, tuple(range(8, CALLS))), found
    return True
