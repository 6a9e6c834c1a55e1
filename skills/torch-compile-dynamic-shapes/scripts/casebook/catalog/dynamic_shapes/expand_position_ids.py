import torch
from torch._dynamo.decorators import mark_unbacked

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe

BATCH_SIZES = (4, 8, 1)


def compile_both(models):
    # One function for each form: the cache of compiled code belongs to the code object.
    def by_expand(x_BTD):
        return models["expand"](x_BTD)

    def by_repeat(x_BTD):
        return models["repeat"](x_BTD)

    forms = {f.__name__: torch.compile(f, backend="eager") for f in (by_expand, by_repeat)}
    return lambda form, x_BTD: forms[form](x_BTD)


def run(device, mark):
    configs = {form: VLMConfig.tiny(position_ids=form) for form in ("expand", "repeat")}
    models = {form: make_model(c, device=device).language_model for form, c in configs.items()}
    inputs = [mark(torch.randn(size, 16, 64, device=device)) for size in BATCH_SIZES]
    calls = [(form, x_BTD) for form in ("by_expand", "by_repeat") for x_BTD in inputs]
    return observe(models, calls, compile=compile_both)


def symptom(device):
    return run(device, mark=lambda x_BTD: x_BTD)


def unbacked_batch(x_BTD):
    mark_unbacked(x_BTD, 0)
    return x_BTD


def remedy(device):
    return run(device, mark=unbacked_batch)


def shows(report):
    compiled = [call.compiled for call in report.calls]
    by_expand, by_repeat = compiled[: len(BATCH_SIZES)], compiled[len(BATCH_SIZES) :]
    if any(symbol.startswith("u") for graph in report.graphs for symbol in graph.symbols):
        return by_expand[-1] + by_repeat[-1] > 0
    return by_expand == by_repeat and by_repeat[-1] > 0
