import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def decode(device, mark):
    calls = []
    for batch_size in (4, 8, 6, 12):
        x_BTD = torch.randn(batch_size, 16, 64, device=device)
        mark(x_BTD, 0)
        calls.append((x_BTD,))
    return observe(make_model(VLMConfig.tiny(), device=device).language_model, calls)


def symptom(device):
    return decode(device, mark=lambda x_BTD, dim: None)


def remedy(device):
    return decode(device, mark=torch._dynamo.mark_dynamic)


def shows(report):
    batch_sizes = [graph.inputs[0].shape[0] for graph in report.graphs if graph.symbols]
    return [call.compiled for call in report.calls] == [1, 1, 0, 0] and len(batch_sizes) == 1
