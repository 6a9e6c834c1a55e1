import torch

from validators.probes import observe


def crop(x, length):
    return x[:, :length] * length


def forward(device, **options):
    x = torch.randn(4, 32, device=device)
    return observe(crop, [(x, length) for length in (5, 6, 7, 8)], **options)


def symptom(device):
    return forward(device)


def remedy(device):
    return forward(device, dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0)
