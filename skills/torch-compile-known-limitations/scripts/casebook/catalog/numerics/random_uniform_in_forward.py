import random

import torch

from validators.probes import observe


def scale_by_draw(x):
    return x * random.uniform(0.0, 1.0)


def scale_by_argument(x, scale):
    return x * scale


def drawn_inside(step):
    def run(x, seed):
        random.seed(seed)
        return step(x)

    return run


def drawn_outside(step):
    def run(x, seed):
        random.seed(seed)
        return step(x, torch.tensor(random.uniform(0.0, 1.0), device=x.device))

    return run


def run(device, function, wrap):
    calls = [(torch.ones(4, device=device), seed) for seed in range(3)]
    compiled = torch.compile(function, backend="inductor")
    return observe(wrap(function), calls, compile=lambda _: wrap(compiled), compare=["eager"])


def symptom(device):
    return run(device, scale_by_draw, drawn_inside)


def remedy(device):
    return run(device, scale_by_argument, drawn_outside)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report
    far = [call.difference.eager for call in report.calls]
    # Ones times a number between 0 and 1: nothing right differs by more than rounding.
    assert all(it < 1e-6 for it in far) or all(it > 0.01 for it in far), far
    return far[0] > 0.01
