import torch

from validators.probes import observe

DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64)


def standardize(x):
    return (x - 0.5) / 0.25


def inputs(device, prepare):
    return [(prepare(torch.ones(4, 8, device=device, dtype=dtype)),) for dtype in DTYPES]


def symptom(device):
    return observe(standardize, inputs(device, lambda x: x), dynamic=True)


def remedy(device):
    return observe(standardize, inputs(device, lambda x: x.float()), dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1,) * len(DTYPES)
