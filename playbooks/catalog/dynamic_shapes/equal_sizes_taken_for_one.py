import torch
from torch.fx.experimental import _config

from validators.probes import observe

SIZES = [(64, 64), (64, 96), (48, 80)]


def blend(image, text):
    return torch.cat([image * 2, text + 1])


def inputs(device):
    """The first image has as many tokens as the text that goes with it."""
    return [
        (torch.randn(image, 8, device=device), torch.randn(text, 8, device=device))
        for image, text in SIZES
    ]


def symptom(device):
    return observe(blend, inputs(device), dynamic=True)


def remedy(device):
    with _config.patch(use_duck_shape=False):
        return observe(blend, inputs(device), dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0)
