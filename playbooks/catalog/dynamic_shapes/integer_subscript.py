import torch

from validators.probes import observe

CALLS = 12


def attend_subscript(cache, q, position):
    return cache[:, position] * q


def attend_select(cache, q, position):
    return cache.select(1, position) * q


def decode(attend, device, **options):
    cache, q = torch.randn(2, 16, 4, device=device), torch.randn(2, 4, device=device)
    calls = [(cache, q, position) for position in range(CALLS)]
    return observe(attend, calls, dynamic=True, **options)


def symptom(device):
    return decode(attend_subscript, device, eager=True)


def remedy(device):
    return decode(attend_select, device)


def shows(report):
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
