import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def attend(device, lengths, mark):
    """Forward and backward of the decoder's attention over sequences of these lengths."""
    model = make_model(VLMConfig.tiny(lm_blocks=1), device=device).language_model
    calls = []
    for length in lengths:
        position_T = torch.arange(length, device=device)
        x_BTD = torch.randn(2, length, 64, device=device)
        cos_BTH, sin_BTH = model.rotary(position_T[None])
        for tensor in (x_BTD, cos_BTH, sin_BTH):
            mark(tensor, 1)
        calls.append((x_BTD, cos_BTH, sin_BTH, position_T, None, None))
    attention = model.blocks[0].attention
    return observe(attention, calls, backend="inductor", compare=("eager", "gradients"))


def symptom(device):
    return attend(device, lengths=(32, 40, 48), mark=lambda tensor, dim: None)


def remedy(device):
    return attend(device, lengths=(32, 128, 1024, 32), mark=torch._dynamo.mark_dynamic)


def shows(report):
    differences = [call.difference for call in report.calls if call.difference]
    far_off = any(d.eager > 1e-4 or d.gradients_eager > 1e-2 for d in differences)
    return report.exception is not None or bool(report.recompiles) or far_off
