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
    if report.exception is None:
        assert len(report.graphs) == 10, len(report.graphs)
        return False
    return report.exception.call == 8 and report.compiled == (1,) * 8 + (0,)
