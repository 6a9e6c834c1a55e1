import torch

from validators.probes import observe


def scores(x):
    return torch.softmax(x * 0.5, dim=-1)


def inputs(device, prepare):
    """Batches that come from the device and from elsewhere by turns."""
    elsewhere = "cpu" if device == "cuda" else "meta"
    here, there = torch.zeros(4, 8, device=device), torch.zeros(4, 8, device=elsewhere)
    return [(prepare(it),) for it in (here, there, here, there)]


def symptom(device):
    return observe(scores, inputs(device, lambda x: x))


def remedy(device):
    return observe(scores, inputs(device, lambda x: torch.zeros_like(x, device=device)))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0)
