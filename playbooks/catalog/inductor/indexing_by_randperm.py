import torch

from validators.probes import observe


def shuffle(x_NC):
    order = torch.randperm(len(x_NC), device=x_NC.device)
    return x_NC[order]


def reorder(x_NC, order):
    return x_NC[order]


def run(device, function, *more):
    x_NC = torch.randn(20, 4, device=device)
    return observe(function, [(x_NC, *more)], backend="inductor", compare=("eager",))


def symptom(device):
    return run(device, shuffle)


def remedy(device):
    return run(device, reorder, torch.randperm(20, device=device))


def shows(report):
    caught = report.exception
    if caught is None:
        return report.calls[0].difference.eager > 0
    assert "Not all inputs to pattern found in match.kwargs" in caught.message, caught
    return True
