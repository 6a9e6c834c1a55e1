import torch

from validators.probes import observe


def attend(query, key):
    return torch.softmax(query @ key.transpose(-1, -2), dim=-1)


def calls(device, prepare):
    """Self-attention and cross-attention by turns."""
    x, memory = torch.randn(4, 8, device=device), torch.randn(4, 8, device=device)
    return [(x, memory), (x, prepare(x)), (memory, x), (memory, prepare(memory))]


def symptom(device):
    return observe(attend, calls(device, lambda x: x))


def remedy(device):
    return observe(attend, calls(device, lambda x: x.view_as(x)))


def shows(report):
    assert report.exception is None, report.exception
    if len(report.graphs) == 1:
        return False
    assert [call.compiled for call in report.calls] == [1, 1, 0, 0], report.calls
    return True
