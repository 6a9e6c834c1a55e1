import importlib.util
from types import SimpleNamespace
from unittest.mock import patch

import torch
from torch._dynamo.device_interface import caching_worker_device_properties
from torch.utils._triton import has_triton

from validators.probes import captured_facts


def asked_of(check, major, minor):
    """What a check answers on a GPU that reports this compute capability."""
    gpu = SimpleNamespace(name="a GPU", major=major, minor=minor)
    has_triton.cache_clear()
    with (
        patch.object(torch.cuda, "get_device_properties", lambda *_: gpu),
        patch.dict(caching_worker_device_properties, clear=True),
    ):
        return check()


def answers(check):
    return captured_facts(
        pascal=lambda: asked_of(check, 6, 1),
        volta=lambda: asked_of(check, 7, 0),
    )


def symptom(device):
    return answers(lambda: importlib.util.find_spec("triton") is not None)


def remedy(device):
    return answers(has_triton)


def shows(report):
    assert report.facts["volta"] is True, report.facts
    return report.facts["pascal"]
