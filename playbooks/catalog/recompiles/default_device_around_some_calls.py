import torch

from validators.probes import observe


def noisy(x):
    return x + torch.ones(8, device=x.device)


def symptom(device):
    """The second call comes from code that builds its tensors under a default device."""

    def calls(x):
        yield (x,)
        with torch.device(device):
            yield (x,)
        yield (x,)

    return observe(noisy, calls(torch.randn(4, 8, device=device)))


def remedy(device):
    def calls(x):
        yield (x,)
        with torch.device(device):
            built = torch.randn(4, 8)
        yield (built,)
        yield (x,)

    return observe(noisy, calls(torch.randn(4, 8, device=device)))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0)
