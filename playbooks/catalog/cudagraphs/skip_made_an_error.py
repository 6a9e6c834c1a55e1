import torch

from validators.probes import observe


def accumulate(total, x):
    total.add_(x)
    return total * 2


def run(device, **options):
    total, x = torch.zeros(8, device=device), torch.ones(8, device=device)
    options = {"triton.cudagraphs": True, **options}
    return observe(accumulate, [(total, x)] * 3, backend="inductor", options=options)


def symptom(device):
    return run(device)


def remedy(device):
    return run(device, **{"triton.cudagraph_or_error": True})


def shows(report):
    if report.exception is not None:
        assert "mutated inputs" in report.exception.message, report.exception
        return False
    seen = report.cudagraphs
    return seen is not None and len(seen.skips) > 0 and seen.recordings == 0
