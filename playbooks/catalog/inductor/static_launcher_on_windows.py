import winreg  # noqa: F401  # Only Windows has it: elsewhere the case is skipped.

import torch
from torch._inductor import config

from validators.probes import observe


def on_a_stream(device, static):
    x = torch.ones(4, 16, device=device)
    # Handles of streams are addresses there. The default stream's is 0.
    own = torch.cuda.stream(torch.cuda.Stream(device))
    with config.patch(use_static_cuda_launcher=static), own:
        return observe(torch.nn.GELU(), [(x,)] * 2, backend="inductor")


def symptom(device):
    return on_a_stream(device, static=True)


def remedy(device):
    return on_a_stream(device, static=False)


def shows(report):
    if report.exception is None:
        return False
    assert "too large to convert to C long" in report.exception.message, report.exception
    return True
