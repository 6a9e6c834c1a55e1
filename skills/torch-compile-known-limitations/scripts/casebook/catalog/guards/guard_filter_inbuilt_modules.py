import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import guard_evaluations


def encoder(device, **options):
    config = VLMConfig.tiny(vit_blocks=8)
    model, batch = make_model(config, device=device), make_batch(config, device=device)
    with torch.no_grad():
        return guard_evaluations(model.vision_encoder, (batch.images,), **options)


def symptom(device):
    return encoder(device)


def remedy(device):
    unguarded = torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe
    return encoder(device, options={"guard_filter_fn": unguarded})


def shows(report):
    facts = report.facts
    return facts["plain"] - facts["changed"] < facts["guards"] / 2
