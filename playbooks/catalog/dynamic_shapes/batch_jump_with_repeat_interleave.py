import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def attend(device, **options):
    """Grouped-query attention, which repeats its keys for the queries that share them."""
    config = VLMConfig.tiny()
    decoder = make_model(config, device=device).requires_grad_(False).language_model
    position_T = torch.arange(16, device=device)
    calls = []
    for batch_size in (2, 16, 32, 4, 32):
        x_BTD = torch.randn(batch_size, 16, config.lm_dim, device=device)
        cos_BTH, sin_BTH = decoder.rotary(position_T.repeat(batch_size, 1))
        calls.append((x_BTD, cos_BTH, sin_BTH, position_T, None, None))
    attention = decoder.blocks[0].attention
    return observe(attention, calls, backend="inductor", compare=("eager",), **options)


def symptom(device):
    def none(guards):
        return [False] * len(guards)

    return attend(device, options={"guard_filter_fn": none})


def remedy(device):
    return attend(device)


def shows(report):
    error = report.exception
    if error is not None:
        if report.recompiles:  # guards were asked: by default nothing may raise
            return True
        return error.call == 1 and "expected size 16==2" in error.message
    repeats = all("repeat_interleave" in graph.targets for graph in report.graphs)
    return not repeats or max(call.difference.eager for call in report.calls) > 1e-4
