import torch

from reference_models.toto import TotoConfig, make_model
from validators.probes import observe

STEPS = 12


@torch.no_grad()
def decode(device, **options):
    config = TotoConfig.tiny(cache="cat", blocks=2)
    model = make_model(config, device=device)
    caches = model.new_caches(batch_size=1, variates=2, length=4 + STEPS)
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    steps = [(context_BVTD[:, :, :1], caches)] * STEPS
    return observe(model.decoder, [(context_BVTD, caches), *steps], **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return decode(device, dynamic=False, eager=True)


def remedy(device):
    return decode(device)


def shows(report):
    compiled = [call.compiled for call in report.calls]
    one_each = compiled == [1] * 8 + [0] * (STEPS - 7)
    return one_each and report.eager_calls == tuple(range(8, STEPS + 1))
