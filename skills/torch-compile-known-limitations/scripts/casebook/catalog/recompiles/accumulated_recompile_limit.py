import torch
import torch._dynamo.config

from validators.probes import observe

LENGTHS = range(2, 22)  # twenty lengths


def normalized(x):
    return x - x.mean()


def run(device, **options):
    return observe(
        normalized,
        [(torch.ones(length, device=device),) for length in LENGTHS],
        dynamic=False,
        **options,
    )


# 16 stands for the default of 256, for which a proof would take a minute.
@torch._dynamo.config.patch(recompile_limit=10_000, accumulated_recompile_limit=16)
def symptom(device):
    # `eager`: it is the claim that some of the calls run without a graph.
    return run(device, eager=True)


@torch._dynamo.config.patch(recompile_limit=10_000, accumulated_recompile_limit=10_000)
def remedy(device):
    return run(device)


def shows(report):
    assert report.exception is None, report.exception
    return report.eager_calls == (16, 17, 18, 19)
