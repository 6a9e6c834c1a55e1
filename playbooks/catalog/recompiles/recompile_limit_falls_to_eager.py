import torch
import torch._dynamo.config

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import observe

LENGTHS = (*range(2, 12), 2, 11)  # ten lengths, then the first and the last of them again


def forecast(device, **options):
    config = TotoConfig.tiny(blocks=2)
    batches = [make_batch(config, patches=length, device=device) for length in LENGTHS]
    return observe(make_model(config, device=device), batches, dynamic=False, **options)


def symptom(device):
    # `eager`: it is the claim that some of the calls run without a graph.
    return forecast(device, eager=True)


@torch._dynamo.config.patch(recompile_limit=16)
def remedy(device):
    return forecast(device)


def shows(report):
    ninth_tenth_and_last = (8, 9, 11)
    return report.exception is None and report.eager_calls == ninth_tenth_and_last
