import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import observe


def compile_both(block):
    # One function for each mark: the cache of compiled code belongs to the code object.
    def hinted(*args):
        return block(*args)

    def strict(*args):
        return block(*args)

    forms = {f.__name__: torch.compile(f, backend="eager") for f in (hinted, strict)}
    return lambda form, *args: forms[form](*args)


def decode(device, peers):
    model = make_model(VLMConfig.tiny(), device=device).language_model
    position_T = torch.arange(16, device=device)
    calls = []
    for form in ("hinted", "strict"):
        mark = torch._dynamo.mark_dynamic if form == "strict" else torch._dynamo.maybe_mark_dynamic
        for batch_size in (4, 8):
            x_BTD = torch.randn(batch_size, 16, 64, device=device)
            cos_BTH, sin_BTH = model.rotary(position_T.repeat(batch_size, 1))
            for tensor in (x_BTD, cos_BTH, sin_BTH) if peers else (x_BTD,):
                mark(tensor, 0)
            calls.append((form, x_BTD, cos_BTH, sin_BTH, position_T))
    return observe(model.blocks[0], calls, compile=compile_both)


def symptom(device):
    return decode(device, peers=False)


def remedy(device):
    return decode(device, peers=True)


def shows(report):
    raised = report.exception
    if raised is None:
        assert report.compiled == (1, 0, 1, 0), report.compiled
        return False
    strict = raised.call == 2 and raised.type.endswith(".ConstraintViolationError")
    return strict and report.compiled[:2] == (1, 1)
