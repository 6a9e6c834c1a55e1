import torch

from validators.probes import observe

METRICS = (
    lambda predicted, actual: (predicted - actual).abs().mean(),
    lambda predicted, actual: (predicted - actual).square().mean(),
    lambda predicted, actual: (predicted - actual).square().mean().sqrt(),
    lambda predicted, actual: (predicted - actual).mean(),
    lambda predicted, actual: (predicted - actual).abs().max(),
    lambda predicted, actual: (predicted - actual).abs().median(),
    lambda predicted, actual: (predicted / actual).log().abs().mean(),
    lambda predicted, actual: (predicted / actual).log().std(),
    lambda predicted, actual: torch.cosine_similarity(predicted, actual).mean(),
    lambda predicted, actual: (predicted > actual).float().mean(),
)


def evaluate(device, prepare, **options):
    predicted, actual = torch.rand(2, 4, 8, device=device) + 1
    prepared = [prepare(metric) for metric in METRICS]
    calls = [(metric, predicted, actual) for metric in prepared]
    return observe(lambda metric, *pair: metric(*pair), calls, compile=lambda f: f, **options)


def compiled(metric):
    return torch.compile(metric, backend="eager")


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return evaluate(device, lambda metric: compiled(torch.no_grad()(metric)), eager=True)


def remedy(device):
    return evaluate(device, lambda metric: torch.no_grad()(compiled(metric)))


def shows(report):
    assert report.exception is None, report.exception
    if not report.eager_calls:
        return False
    shared = [found.function for found in report.recompiles] == ["inner"] * 7
    assert report.recompile_limit_hit and shared, report.recompiles
    return report.eager_calls == (8, 9)
