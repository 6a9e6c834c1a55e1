import torch

from validators.probes import observe

CALLS = 12
STEP = 0


def warm_up(x):
    return x * STEP


def warm_up_by(x, step):
    return x * step


def counted(x):
    global STEP
    for step in range(2, 2 + CALLS):
        STEP = step
        yield (x,)


def symptom(device):
    return observe(warm_up, counted(torch.randn(4, 8, device=device)), dynamic=True, eager=True)


def remedy(device):
    x = torch.randn(4, 8, device=device)
    return observe(warm_up_by, [(x, step) for step in range(2, 2 + CALLS)], dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
