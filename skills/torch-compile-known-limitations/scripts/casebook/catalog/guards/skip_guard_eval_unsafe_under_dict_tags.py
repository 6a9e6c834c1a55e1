import torch
import torch._dynamo

from reference_models.vlm import VLMConfig, make_model
from validators.probes import guard_evaluations


def dict_tags(on):
    return torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=on)


def skipping():
    return torch.compiler.set_stance("default", skip_guard_eval_unsafe=True)


def decoder(device, plain, **changed):
    """Count what one call of the decoder evaluates, with and without a change."""
    config = VLMConfig.tiny(lm_blocks=8)
    model = make_model(config, device=device)
    x_BTD = torch.randn(2, 16, config.lm_dim, device=device)
    with torch.no_grad(), dict_tags(plain):
        return guard_evaluations(model.language_model, (x_BTD,), **changed)


def symptom(device):
    """What the stance spares beyond the dict tags."""
    return decoder(device, plain=True, running=skipping)


def remedy(device):
    """What the dict tags spare by themselves."""
    return decoder(device, plain=False, compiling=lambda: dict_tags(True))


def shows(report):
    facts = report.facts
    spared = (facts["plain"] - facts["changed"]) / facts["guards"]
    if spared < 1 / 10:
        return True
    assert spared > 1 / 2, facts
    return False
