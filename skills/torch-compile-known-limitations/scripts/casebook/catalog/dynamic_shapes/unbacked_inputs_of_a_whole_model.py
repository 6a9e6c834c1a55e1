from torch._dynamo import mark_dynamic
from torch._dynamo.decorators import mark_unbacked

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def forward(device, mark):
    """A forward pass of the whole model, the batch dim of all its inputs marked."""
    config = VLMConfig.tiny(vit_blocks=1, lm_blocks=1)
    calls = []
    for batch_size in (4, 8, 1):
        inputs = make_batch(config, batch_size, device=device)[:3]
        for tensor in inputs:
            mark(tensor, 0)
        calls.append(inputs)
    return observe(make_model(config, device=device), calls)


def symptom(device):
    return forward(device, mark_dynamic)


def remedy(device):
    return forward(device, mark_unbacked)


def shows(report):
    return bool(report.graph_breaks) or [call.compiled for call in report.calls] != [1, 0, 0]
