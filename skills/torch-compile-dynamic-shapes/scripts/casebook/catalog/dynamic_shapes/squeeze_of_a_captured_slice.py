import torch
from torch._dynamo import config

from validators.probes import observe


def row(table_TC, position):
    start = position.item()
    return table_TC[start : start + 1].squeeze(0)


def row_in_range(table_TC, position):
    start = position.item()
    torch._check(start >= 0)
    torch._check(start + 1 <= table_TC.shape[0])
    return table_TC[start : start + 1].squeeze(0)


def look_up(device, row):
    table_TC = torch.arange(12.0, device=device).view(4, 3)
    position = torch.tensor(1, device=device)
    with config.patch(capture_scalar_outputs=True):
        return observe(row, [(table_TC, position)], backend="inductor", compare=["eager"])


def symptom(device):
    return look_up(device, row)


def remedy(device):
    return look_up(device, row_in_range)


def shows(report):
    """One graph and no error, and a result of another shape than eager's."""
    assert report.exception is None and not report.graph_breaks and len(report.graphs) == 1
    difference = report.calls[0].difference.eager
    assert difference == 0 or difference > 1e30, difference
    return difference > 1e30  # not two results that can be subtracted
