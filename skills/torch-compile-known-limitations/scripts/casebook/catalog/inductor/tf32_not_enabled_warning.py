import warnings
from unittest import mock

import torch
from torch._inductor import compile_fx

from validators.probes import captured_facts


def warned_for_an_ampere():
    """Before it compiles a float32 product for a GPU; here, with one that is only said to be."""
    with (
        mock.patch.object(torch.cuda, "is_available", lambda: True),
        mock.patch.object(torch.cuda, "get_device_capability", lambda *_: (8, 0)),
        warnings.catch_warnings(record=True) as seen,
    ):
        warnings.simplefilter("always")
        compile_fx._warn_tf32_disabled()
    return any("TensorFloat32 tensor cores" in str(warning.message) for warning in seen)


def symptom(device):
    torch.set_float32_matmul_precision("highest")
    return captured_facts(warned=warned_for_an_ampere)


def remedy(device):
    torch.set_float32_matmul_precision("high")
    return captured_facts(warned=warned_for_an_ampere)


def shows(report):
    assert isinstance(report.facts.get("warned"), bool), report.facts
    return report.facts["warned"]
