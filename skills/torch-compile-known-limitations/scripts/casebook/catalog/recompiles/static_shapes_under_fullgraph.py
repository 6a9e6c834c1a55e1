import torch
import torch._dynamo.config

from validators.probes import observe

SHAPES = [(8 * i, 8 * i + 4) for i in range(1, 11)]


def update(weight, gradient, lr):
    weight.add_(gradient.sign() * -lr)


def step(device):
    """One step of a compiled update rule over ten weights, each of another shape."""
    lr = torch.tensor(0.1, device=device)
    weights = [torch.zeros(shape, device=device) for shape in SHAPES]
    calls = [(weight, torch.ones_like(weight), lr) for weight in weights]
    return observe(update, calls, dynamic=False, fullgraph=True)


def symptom(device):
    return step(device)


# The name that torch 2.5 knows; later releases take it for `recompile_limit`.
@torch._dynamo.config.patch(cache_size_limit=16)
def remedy(device):
    return step(device)


def shows(report):
    caught = report.exception
    if caught is None:
        assert len(report.graphs) == 10, len(report.graphs)
        return False
    refused = caught.type.endswith((".FailOnRecompileLimitHit", ".CacheLimitExceeded"))
    sizes = all("size mismatch at index 0" in r.reasons[0] for r in report.recompiles)
    variants = len(report.graphs) == 8 and len(report.recompiles) == 7
    return refused and caught.call == 8 and variants and sizes
