import contextlib

import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import guard_evaluations


def decoder(device, running):
    config = VLMConfig.tiny(lm_blocks=8)
    model = make_model(config, device=device)
    with torch.no_grad():
        x_BTD = model.embed(make_batch(config, device=device).input_ids, images=None)
        return guard_evaluations(model.language_model, (x_BTD,), running=running)


def symptom(device):
    return decoder(device, contextlib.nullcontext)


def remedy(device):
    return decoder(
        device, lambda: torch.compiler.set_stance("default", skip_guard_eval_unsafe=True)
    )


def shows(report):
    facts = report.facts
    return facts["plain"] - facts["changed"] < facts["guards"] / 2
