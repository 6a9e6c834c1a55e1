import torch
import torch._dynamo
from torch import nn

from validators.probes import dispatch_gain


def filtered_encoder(device, dict_tags):
    layer = nn.TransformerEncoderLayer(32, 2, 64, batch_first=True)
    encoder = nn.TransformerEncoder(layer, num_layers=8).to(device)
    x = torch.randn(2, 4, 32, device=device)
    unguarded = torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe
    with (
        torch.no_grad(),
        torch._dynamo.config.patch(use_recursive_dict_tags_for_guards=dict_tags),
    ):
        return dispatch_gain(encoder, (x,), options={"guard_filter_fn": unguarded})


def symptom(device):
    return filtered_encoder(device, dict_tags=True)


def remedy(device):
    return filtered_encoder(device, dict_tags=False)


def shows(report):
    return report.facts["gain"] < 1.2
