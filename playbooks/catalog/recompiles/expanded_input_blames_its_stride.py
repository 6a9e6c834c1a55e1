import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def angles(device, batch_sizes):
    """Call the compiled rotary embedding on expanded positions, then another on repeated ones."""
    model = make_model(VLMConfig.tiny(), device=device).language_model
    position_1T = torch.arange(16, device=device)[None]

    def compile_both(rotary):
        def of_expanded(position_ids_BT):
            return rotary(position_ids_BT)

        def of_repeated(position_ids_BT):
            return rotary(position_ids_BT)

        both = [torch.compile(f, backend="eager") for f in (of_expanded, of_repeated)]
        return lambda form, position_ids_BT: both[form](position_ids_BT)

    expanded = [(0, position_1T.expand(size, -1)) for size in batch_sizes]
    repeated = [(1, position_1T.repeat(size, 1)) for size in batch_sizes]
    return observe(model.rotary, expanded + repeated, compile=compile_both)


def symptom(device):
    return angles(device, (4, 8, 1))


def remedy(device):
    return angles(device, (4, 8, 2))


def shows(report):
    stride_blamed = any("stride mismatch" in r.reasons[0] for r in report.recompiles)
    last_expanded, last_repeated = report.calls[2], report.calls[5]
    return stride_blamed and last_expanded.compiled > 0 and last_repeated.compiled > 0
