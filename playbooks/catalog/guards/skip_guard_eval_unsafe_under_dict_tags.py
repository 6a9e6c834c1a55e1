import torch
import torch._dynamo

from reference_models.vlm import VLMConfig, make_model
from validators.probes import guard_evaluations


def skipping():
    return torch.compiler.set_stance("default", skip_guard_eval_unsafe=True)


def decoder(device, dict_tags):
    config = VLMConfig.tiny(lm_blocks=8)
    model = make_model(config, device=device)
    x_BTD = torch.randn(2, 16, config.lm_dim, device=device)
    with (
        torch.no_grad(),
        torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=dict_tags),
    ):
        return guard_evaluations(model.language_model, (x_BTD,), running=skipping)


def symptom(device):
    return decoder(device, dict_tags=True)


def remedy(device):
    return decoder(device, dict_tags=False)


def shows(report):
    facts = report.facts
    spared = (facts["plain"] - facts["changed"]) / facts["guards"]
    if spared < 1 / 10:
        return True
    assert spared > 1 / 3, facts
    return False
