import torch
import torch._dynamo

from reference_models.vlm import VLMConfig, make_model
from validators.probes import guard_evaluations


def filtered_decoder(device, dict_tags):
    config = VLMConfig.tiny(lm_blocks=8)
    model = make_model(config, device=device)
    x_BTD = torch.randn(2, 16, config.lm_dim, device=device)
    unguarded = torch.compiler.skip_guard_on_all_nn_modules_unsafe
    with (
        torch.no_grad(),
        torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=dict_tags),
    ):
        return guard_evaluations(
            model.language_model, (x_BTD,), options={"guard_filter_fn": unguarded}
        )


def symptom(device):
    return filtered_decoder(device, dict_tags=True)


def remedy(device):
    return filtered_decoder(device, dict_tags=False)


def shows(report):
    facts = report.facts
    spared = (facts["plain"] - facts["changed"]) / facts["guards"]
    if spared < 1 / 10:
        return True
    assert spared > 1 / 3, facts
    return False
