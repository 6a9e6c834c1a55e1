import functools

import torch

from validators.probes import observe

METRICS = (
    lambda x: x.mean(),
    lambda x: x.sum(),
    lambda x: x.amax(),
    lambda x: x.amin(),
    lambda x: x.var(),
    lambda x: x.std(),
    lambda x: x.norm(),
    lambda x: x.median(),
    lambda x: x.square().mean(),
    lambda x: x.abs().sum(),
)


def checked(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def checked_in_its_own_code(function):
    wrapper = checked(function)
    wrapper.__code__ = wrapper.__code__.replace()
    return wrapper


def evaluate(device, decorate, **options):
    x = torch.rand(4, 8, device=device)
    compiled = [torch.compile(decorate(metric), backend="eager") for metric in METRICS]
    calls = [(metric, x) for metric in compiled]
    return observe(lambda metric, x: metric(x), calls, compile=lambda f: f, **options)


def symptom(device):
    # `eager`: what is left after the recompile limit runs without a graph.
    return evaluate(device, checked, eager=True)


def remedy(device):
    return evaluate(device, checked_in_its_own_code)


def shows(report):
    assert report.exception is None, report.exception
    if not report.eager_calls:
        assert len(report.graphs) == len(METRICS), report.graphs
        return False
    shared = [found.function for found in report.recompiles] == ["wrapper"] * 7
    assert report.recompile_limit_hit and shared, report.recompiles
    return report.eager_calls == (8, 9)
