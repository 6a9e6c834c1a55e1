import torch
from torch._dynamo.decorators import mark_unbacked, maybe_mark_dynamic

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def guarded_then_maybe(x_BTD):
    if hasattr(torch._dynamo, "mark_unbacked"):
        torch._dynamo.mark_unbacked(x_BTD, 0)
    maybe_mark_dynamic(x_BTD, 0)


def unbacked_then_maybe(x_BTD):
    mark_unbacked(x_BTD, 0)
    maybe_mark_dynamic(x_BTD, 0)


def maybe_then_unbacked(x_BTD):
    maybe_mark_dynamic(x_BTD, 0)
    mark_unbacked(x_BTD, 0)


def compile_twice(decoder):
    # One function for each order: the cache of compiled code belongs to the code object.
    def first(x_BTD):
        return decoder(x_BTD)

    def second(x_BTD):
        return decoder(x_BTD)

    compiled = [torch.compile(f, backend="eager") for f in (first, second)]
    return lambda order, x_BTD: compiled[order](x_BTD)


def decode(device, *orders):
    calls = []
    for number, mark in enumerate(orders):
        for batch_size in (4, 8, 1):
            x_BTD = torch.randn(batch_size, 16, 64, device=device)
            mark(x_BTD)
            calls.append((number, x_BTD))
    decoder = make_model(VLMConfig.tiny(), device=device).language_model
    return observe(decoder, calls, compile=compile_twice)


def symptom(device):
    return decode(device, guarded_then_maybe)


def remedy(device):
    return decode(device, unbacked_then_maybe, maybe_then_unbacked)


def shows(report):
    compiled = [call.compiled for call in report.calls]
    return compiled[:2] == [1, 0] and compiled[2::3] == [1] * (len(compiled) // 3)
