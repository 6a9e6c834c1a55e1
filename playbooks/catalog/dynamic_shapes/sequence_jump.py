import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def attend(device, backend, lengths, mark):
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
    return observe(attention, calls, backend=backend, compare=("eager", "gradients"))


def symptom(device):
    # It is Dynamo that compiles again, so a backend that generates no code will do.
    return attend(device, "eager", lengths=(32, 40, 48), mark=lambda tensor, dim: None)


def remedy(device):
    lengths = (32, 128, 1024, 32)
    return attend(device, "inductor", lengths=lengths, mark=torch._dynamo.mark_dynamic)


def shows(report):
    differences = [call.difference for call in report.calls if call.difference]
    far_off = any(d.eager > 1e-4 or d.gradients_eager > 1e-2 for d in differences)
    compiled_again = any(report.compiled[1:])
    return report.exception is not None or bool(report.graph_breaks) or compiled_again or far_off
