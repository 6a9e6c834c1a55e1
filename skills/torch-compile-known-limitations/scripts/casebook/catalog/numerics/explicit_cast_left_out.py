import torch
from torch._inductor import config

from validators.probes import observe


def as_stored(weight, delta):
    """What a weight that is kept in bfloat16 will be after an update in float32."""
    return (weight + delta).to(torch.bfloat16).to(torch.float32)


def update(device):
    weight = torch.linspace(1, 2, 1000, device=device)
    delta = torch.full_like(weight, 1e-3)
    return observe(as_stored, [(weight, delta)], backend="inductor", compare=("eager",))


def symptom(device):
    return update(device)


def remedy(device):
    with config.patch(emulate_precision_casts=True):
        return update(device)


def shows(report):
    # Between 1 and 2, bfloat16 has a step of 2**-7: rounding moves values by up to half of it.
    far = report.calls[0].difference.eager
    assert far == 0 or far > 2.0**-9, far
    return far > 2.0**-9
