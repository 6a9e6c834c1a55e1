import torch
import torch._dynamo

from validators.probes import observe


def quantize_by_number(x):
    scale = x.abs().max().item() / 127
    return torch.round(x / scale) * scale


def quantize_by_tensor(x):
    scale = x.abs().max() / 127
    return torch.round(x / scale) * scale


def three_ranges(quantize, device):
    x = torch.linspace(-1, 1, 64, device=device)
    return observe(quantize, [(x,), (2 * x,), (3 * x,)])


def symptom(device):
    return three_ranges(quantize_by_number, device)


def remedy(device):
    with torch._dynamo.error_on_graph_break(True):
        return three_ranges(quantize_by_tensor, device)


def shows(report):
    return bool(report.graph_breaks) and sum(report.compiled[1:]) > 0
