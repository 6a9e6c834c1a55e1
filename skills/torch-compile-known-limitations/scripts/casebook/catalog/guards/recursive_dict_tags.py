import contextlib

import torch
import torch._dynamo

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import guard_evaluations


def with_dict_tags(on):
    return torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=on)


def decoder(device, compiling):
    config = VLMConfig.tiny(lm_blocks=8)
    model = make_model(config, device=device)
    with torch.no_grad(), with_dict_tags(False):
        x_BTD = model.embed(make_batch(config, device=device).input_ids, images=None)
        return guard_evaluations(model.language_model, (x_BTD,), compiling=compiling)


def symptom(device):
    return decoder(device, contextlib.nullcontext)


def remedy(device):
    return decoder(device, lambda: with_dict_tags(True))


def shows(report):
    facts = report.facts
    return facts["plain"] - facts["changed"] < facts["guards"] / 2
