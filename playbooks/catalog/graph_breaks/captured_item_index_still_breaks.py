import torch
import torch._dynamo.config

from reference_models.toto import TotoConfig, make_model
from validators.probes import observe


@torch.no_grad()
@torch._dynamo.config.patch(capture_scalar_outputs=True)
def decode(cache, device):
    config = TotoConfig.tiny(cache=cache, blocks=2, variate_every=0)
    model = make_model(config, device=device)
    caches = model.new_caches(batch_size=1, variates=2, length=8)
    context_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    steps = [(context_BVTD[:, :, :1], caches)] * 4
    return observe(model.decoder, [(context_BVTD, caches), *steps])


def symptom(device):
    return decode("item_index", device)


def remedy(device):
    return decode("static", device)


def shows(report):
    return bool(report.graph_breaks) and all(count > 1 for count in report.executions)
