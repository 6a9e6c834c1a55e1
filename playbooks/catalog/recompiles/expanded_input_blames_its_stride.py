import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def angles(device, smallest):
    """Serve batches of 4, 8 and 1 with expanded positions, and then with repeated ones."""
    rotary = make_model(VLMConfig.tiny(), device=device).language_model.rotary
    position_1T = torch.arange(16, device=device)[None]

    def positions(repeated, rows):
        return position_1T.repeat(rows, 1) if repeated else position_1T.expand(rows, -1)

    def in_eager_mode(repeated, size):
        return rotary(positions(repeated, size))

    def compile_both(_):
        def of_expanded(position_ids_BT):
            return rotary(position_ids_BT)

        def of_repeated(position_ids_BT):
            return rotary(position_ids_BT)

        both = [torch.compile(f, backend="eager") for f in (of_expanded, of_repeated)]

        def padded(repeated, size):
            cos_BTH, sin_BTH = both[repeated](positions(repeated, max(size, smallest)))
            return cos_BTH[:size], sin_BTH[:size]

        return padded

    calls = [(repeated, size) for repeated in (False, True) for size in (4, 8, 1)]
    return observe(in_eager_mode, calls, compile=compile_both, compare=["eager"])


def symptom(device):
    return angles(device, smallest=1)


def remedy(device):
    return angles(device, smallest=2)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    compiled = [call.compiled for call in report.calls]
    if compiled == [1, 1, 0] * 2:
        return False
    assert compiled == [1, 1, 1] * 2, compiled
    # Torch 2.4 records no reasons.
    reasons = [found.reasons[0] for found in report.recompiles]
    return not reasons or any("stride mismatch" in reason for reason in reasons)
