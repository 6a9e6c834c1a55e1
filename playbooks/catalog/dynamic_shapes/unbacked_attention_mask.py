from torch._dynamo.decorators import mark_unbacked

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def forward(device, **options):
    """A forward pass of the whole model, the batch dim of all its inputs marked unbacked."""
    config = VLMConfig.tiny()
    calls = []
    for batch_size in (4, 8, 1):
        inputs = make_batch(config, batch_size, device=device)[:3]
        for tensor in inputs:
            mark_unbacked(tensor, 0, **options)
        calls.append(inputs)
    return observe(make_model(config, device=device), calls)


def symptom(device):
    return forward(device)


def remedy(device):
    return forward(device, shape_id="batch")


def shows(report):
    broke = any("data-dependent expression" in found.reason for found in report.graph_breaks)
    if not broke:
        return [call.compiled for call in report.calls] != [1, 0, 0]
    return report.calls[1].compiled > 0
