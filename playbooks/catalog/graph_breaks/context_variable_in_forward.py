import contextvars

import torch

from validators.probes import observe

SCALE = contextvars.ContextVar("scale", default=2.0)


def attention(x):
    y = x.relu() + 1
    scale = SCALE.get()
    return (y * scale).tanh()


def attention_with(x, scale):
    y = x.relu() + 1
    return (y * scale).tanh()


def symptom(device):
    return observe(attention, [(torch.ones(4, device=device),)] * 2, compare=["eager"])


def remedy(device):
    calls = [(torch.ones(4, device=device), SCALE.get())] * 2
    return observe(attention_with, calls, compare=["eager"])


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    if not report.graph_breaks:
        assert report.executions == (1, 1), report.executions
        return False
    return report.executions == (2, 2)
