import math

import torch

from validators.probes import observe

BATCHES = [(3,), (3, 4), (3, 4, 2), (3, 4, 2, 5)]


def normalize(x):
    return x / x.norm(dim=-1, keepdim=True)


def inputs(device, rows=False):
    """The same rows, in batches of one dim and more."""
    shapes = [(math.prod(batch), 8) if rows else (*batch, 8) for batch in BATCHES]
    return [(torch.randn(shape, device=device),) for shape in shapes]


def symptom(device):
    return observe(normalize, inputs(device), dynamic=True)


def remedy(device):
    return observe(normalize, inputs(device, rows=True), dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1,) * len(BATCHES)
