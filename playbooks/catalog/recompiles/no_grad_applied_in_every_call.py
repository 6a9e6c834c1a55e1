import torch

from validators.probes import observe


def loss(predicted, actual):
    return (predicted - actual).square().mean()


def weighted(weight, function, predicted, actual):
    return weight * function(predicted, actual)


def ten_steps(device, functions, **options):
    weight = torch.tensor(0.5, device=device)
    predicted, actual = torch.rand(2, 4, 8, device=device)
    return observe(weighted, [(weight, f, predicted, actual) for f in functions], **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return ten_steps(device, (torch.no_grad()(loss) for _ in range(10)), eager=True)


def remedy(device):
    return ten_steps(device, [torch.no_grad()(loss)] * 10)


def shows(report):
    assert report.exception is None, report.exception
    return report.recompile_limit_hit and len(report.graphs) == 8
