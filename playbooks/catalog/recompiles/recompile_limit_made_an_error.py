import torch
import torch._dynamo.config

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import observe


def forecast(device):
    config = TotoConfig.tiny(blocks=2)
    batches = [make_batch(config, patches=length, device=device) for length in range(2, 12)]
    # `eager`: past the limit there is no graph to run.
    return observe(make_model(config, device=device), batches, dynamic=False, eager=True)


def symptom(device):
    return forecast(device)


@torch._dynamo.config.patch(fail_on_recompile_limit_hit=True)
def remedy(device):
    return forecast(device)


def shows(report):
    error = report.exception
    told = error is not None and error.type == "torch._dynamo.exc.FailOnRecompileLimitHit"
    return report.recompile_limit_hit and not (told and error.call == 8)
