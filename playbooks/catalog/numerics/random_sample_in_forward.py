import random

import torch

from validators.probes import observe

ROWS = range(8)


def kept_inside(x):
    return x[random.sample(ROWS, 4)]


def kept_by_index(x, rows):
    return x[rows]


def drawn_inside(step):
    def run(x, seed):
        random.seed(seed)
        return step(x)

    return run


def drawn_outside(step):
    def run(x, seed):
        random.seed(seed)
        return step(x, torch.tensor(random.sample(ROWS, 4), device=x.device))

    return run


def thin_out(device, function, wrap):
    x = torch.arange(8.0, device=device)
    compiled = torch.compile(function, backend="eager")
    return observe(
        wrap(function),
        [(x, seed) for seed in range(4)],
        compile=lambda _: wrap(compiled),
        compare=("eager",),
    )


def symptom(device):
    return thin_out(device, kept_inside, drawn_inside)


def remedy(device):
    return thin_out(device, kept_by_index, drawn_outside)


def shows(report):
    assert report.exception is None, report.exception
    wrong = [call.difference.eager >= 1 for call in report.calls]
    return any(wrong) and [call.compiled for call in report.calls] == [1, 0, 0, 0]
