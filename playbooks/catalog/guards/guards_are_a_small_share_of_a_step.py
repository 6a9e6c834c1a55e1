import torch
from torch import nn

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import dispatch_share


@torch.no_grad()
def symptom(device):
    layers = [layer for _ in range(4) for layer in (nn.Linear(32, 32), nn.Tanh())]
    policy = nn.Sequential(*layers).to(device)
    observation = torch.randn(1, 32, device=device)
    return dispatch_share(policy, (observation,), backend="eager")


@torch.no_grad()
def remedy(device):
    config = GPTConfig.debug()
    model = make_model(config, device=device)
    token_ids = make_batch(config, device=device).input_ids
    return dispatch_share(model, (token_ids,), backend="eager", samples=3, calls_per_sample=2)


def shows(report):
    return report.facts["share"] > 0.1
