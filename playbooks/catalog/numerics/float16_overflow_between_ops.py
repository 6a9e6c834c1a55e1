import torch

from validators.probes import observe


def normalized(x):
    """In float16, the square of more than 255 overflows."""
    return x * x / x


def in_float32(x):
    return normalized(x.float()).half()


def compared(device, function):
    x = torch.tensor([300.0], device=device, dtype=torch.float16)
    assert function is in_float32 or normalized(x).isinf().all()
    return observe(function, [(x,)], backend="inductor", compare=("eager", "float64"))


def symptom(device):
    return compared(device, normalized)


def remedy(device):
    return compared(device, in_float32)


def shows(report):
    found = report.calls[0].difference
    # A compiled result that float64 does not confirm is no answer to which one is right.
    assert found.compiled_float64 < 0.2, found
    return found.eager > 0
