import torch
import torch._dynamo.config

from validators.probes import observe

SHAPES = [(8 * i, 8 * i + 4) for i in range(1, 11)]


def update(weight, gradient, lr):
    with torch.no_grad():
        weight.add_(gradient.sign() * -lr)


def step(device, **options):
    """One step of a compiled update rule over ten parameters, each of another shape."""
    lr = torch.tensor(0.1, device=device)
    weights = [torch.nn.Parameter(torch.zeros(shape, device=device)) for shape in SHAPES]
    return observe(update, [(w, torch.ones_like(w), lr) for w in weights], **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return step(device, eager=True)


@torch._dynamo.config.patch(force_parameter_static_shapes=False)
def remedy(device):
    return step(device)


def shows(report):
    assert report.exception is None, report.exception
    assert report.eager_calls or len(report.graphs) == 2, len(report.graphs)
    return report.eager_calls == (8, 9) and report.compiled[:8] == (1,) * 8
