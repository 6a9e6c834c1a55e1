import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import guard_evaluations


def decoder(device, **options):
    config = VLMConfig.tiny(lm_blocks=8)
    model = make_model(config, device=device)
    x_BTD = torch.randn(2, 16, config.lm_dim, device=device)
    with torch.no_grad():
        return guard_evaluations(model.language_model, (x_BTD,), **options)


def symptom(device):
    return decoder(device)


def remedy(device):
    unguarded = torch.compiler.skip_guard_on_all_nn_modules_unsafe
    return decoder(device, options={"guard_filter_fn": unguarded})


def shows(report):
    facts = report.facts
    return facts["plain"] - facts["changed"] < facts["guards"] / 2
