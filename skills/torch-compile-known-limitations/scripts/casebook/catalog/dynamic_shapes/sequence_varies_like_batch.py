import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe

SIZES = (4, 8, 6, 12)


def compile_both(decoder):
    # One function for each way to vary: the cache of compiled code belongs to the code object.
    def other_batches(x_BTD):
        return decoder(x_BTD)

    def other_lengths(x_BTD):
        return decoder(x_BTD)

    both = [torch.compile(f, backend="eager") for f in (other_batches, other_lengths)]
    return lambda dim, x_BTD: both[dim](x_BTD)


def decode(device, mark):
    """Vary the batch over four sizes, then the length of the sequences over the same."""
    model = make_model(VLMConfig.tiny(lm_blocks=1), device=device).language_model
    calls = []
    for dim in (0, 1):
        for size in SIZES:
            shape = (size, 24, 64) if dim == 0 else (5, size, 64)
            x_BTD = torch.randn(shape, device=device)
            mark(x_BTD, dim)
            calls.append((dim, x_BTD))
    return observe(model, calls, compile=compile_both)


def symptom(device):
    return decode(device, mark=lambda x_BTD, dim: None)


def remedy(device):
    return decode(device, mark=torch._dynamo.mark_dynamic)


def shows(report):
    reasons = [r.reasons[0].partition("size mismatch at ")[2][:7] for r in report.recompiles]
    compiled = [call.compiled for call in report.calls]
    if not reasons:
        return compiled != [1, 0, 0, 0] * 2
    return compiled == [1, 1, 0, 0] * 2 and reasons == ["index 0", "index 1"]
