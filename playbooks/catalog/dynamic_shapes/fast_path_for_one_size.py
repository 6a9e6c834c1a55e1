import torch
from torch._dynamo import mark_dynamic

from validators.probes import observe

CONTEXT = 16


def with_positions(x_TC, positions_SC):
    """Add the whole table if the sequence is full, and otherwise a slice of it."""
    tokens = len(x_TC)
    if tokens == CONTEXT:
        return x_TC + positions_SC
    return x_TC + positions_SC[:tokens]


def with_sliced_positions(x_TC, positions_SC):
    tokens = len(x_TC)
    return x_TC + positions_SC[:tokens]


def read(device, function):
    """Sequences of growing length; the third fills the context."""
    positions_SC = torch.randn(CONTEXT, 8, device=device)
    calls = []
    for tokens in (4, 8, CONTEXT):
        x_TC = torch.randn(tokens, 8, device=device)
        mark_dynamic(x_TC, 0)
        calls.append((x_TC, positions_SC))
    return observe(function, calls, compare=("eager",))


def symptom(device):
    return read(device, with_positions)


def remedy(device):
    return read(device, with_sliced_positions)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.call == 2, caught
        return caught.type.endswith(".ConstraintViolationError")
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    return [call.compiled for call in report.calls] != [1, 0, 0]
