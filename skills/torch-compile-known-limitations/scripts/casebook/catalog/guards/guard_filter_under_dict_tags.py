import torch
import torch._dynamo
from torch import nn

from validators.probes import guard_evaluations


def filtered_encoder(device, dict_tags):
    layer = nn.TransformerEncoderLayer(32, 2, 64, batch_first=True)
    encoder = nn.TransformerEncoder(layer, num_layers=8).to(device)
    x = torch.randn(2, 4, 32, device=device)
    unguarded = torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe
    with (
        torch.no_grad(),
        torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=dict_tags),
    ):
        return guard_evaluations(encoder, (x,), options={"guard_filter_fn": unguarded})


def symptom(device):
    return filtered_encoder(device, dict_tags=True)


def remedy(device):
    return filtered_encoder(device, dict_tags=False)


def shows(report):
    facts = report.facts
    spared = (facts["plain"] - facts["changed"]) / facts["guards"]
    if spared < 1 / 10:
        return True
    assert spared > 1 / 3, facts
    return False
