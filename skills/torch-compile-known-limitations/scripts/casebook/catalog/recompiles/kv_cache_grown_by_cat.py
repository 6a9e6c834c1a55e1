import torch

from reference_models.toto import TotoConfig, make_model
from validators.probes import observe

STEPS = 12


@torch.no_grad()
def decode(cache, device):
    config = TotoConfig.tiny(cache=cache, blocks=2)
    model = make_model(config, device=device)
    caches = model.new_caches(batch_size=1, variates=2, length=4 + STEPS)
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    steps = [(context_BVTD[:, :, :1], caches)] * STEPS
    return observe(model.decoder, [(context_BVTD, caches), *steps])


def symptom(device):
    return decode("cat", device)


def remedy(device):
    return decode("static", device)


def shows(report):
    # Graphs for the context, for the first patch, and for all further ones.
    compiled = [call.compiled for call in report.calls]
    third = report.graphs[-1]
    return compiled[:3] == [1, 1, 1] and not any(compiled[3:]) and bool(third.symbols)
