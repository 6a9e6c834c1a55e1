import torch

from validators.probes import observe


def noisy(x):
    return x + torch.ones(8, device=x.device)


def repeat(device, first, later):
    """Call three times; the default device is `first` before the first call, and `later` after."""
    x = torch.ones(4, 8, device=device)

    def calls():
        torch.set_default_device(first)
        yield (x,)
        torch.set_default_device(later)
        yield (x,)
        yield (x,)

    try:
        return observe(noisy, calls())
    finally:
        torch.set_default_device(None)


def symptom(device):
    return repeat(device, None, device)


def remedy(device):
    return repeat(device, device, device)


def shows(report):
    assert report.exception is None, report.exception
    compiled = [call.compiled for call in report.calls]
    assert compiled in ([1, 0, 0], [1, 1, 0]), compiled
    return compiled == [1, 1, 0]
