import os
from unittest import mock

import torch

from validators.probes import observe


def gelu_by_hand(x):
    return 0.5 * x * (1 + torch.erf(x / 2**0.5))


def eager_baseline(variable, device):
    """What a benchmark does that compiles its model anew for each configuration."""
    with mock.patch.dict(os.environ, {variable: "1"}):
        return observe(gelu_by_hand, [(torch.ones(8, device=device),)] * 2, eager=True)


def symptom(device):
    return eager_baseline("TORCH_COMPILE_DISABLE", device)


def remedy(device):
    return eager_baseline("TORCHDYNAMO_DISABLE", device)


def shows(report):
    return len(report.graphs) > 0 and not report.eager_calls
