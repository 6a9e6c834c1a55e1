import torch
from torch._dynamo.decorators import mark_unbacked

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def angles(device, position_ids):
    """Call the compiled rotary embedding on positions for 4, 8 and 1 sequences."""
    rotary = make_model(VLMConfig.tiny(), device=device).language_model.rotary
    position_T = torch.arange(16, device=device)
    calls = []
    for batch_size in (4, 8, 1):
        position_ids_BT = position_ids(position_T[None], batch_size)
        mark_unbacked(position_ids_BT, 0)
        calls.append((position_ids_BT,))
    return observe(rotary, calls)


def symptom(device):
    return angles(device, lambda position_1T, batch_size: position_1T.expand(batch_size, -1))


def remedy(device):
    return angles(device, lambda position_1T, batch_size: position_1T.repeat(batch_size, 1))


def shows(report):
    return report.calls[-1].compiled > 0
