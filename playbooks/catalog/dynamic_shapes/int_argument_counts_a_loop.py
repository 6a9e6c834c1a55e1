import torch

from validators.probes import observe

STEPS = range(2, 14)


def turn(x):
    return x - 0.1 * torch.sin(x)


def refine(x, steps):
    for _ in range(steps):
        x = turn(x)
    return x


def symptom(device):
    x = torch.randn(4, 8, device=device)
    return observe(refine, [(x, steps) for steps in STEPS], dynamic=True, eager=True)


def remedy(device):
    x = torch.randn(4, 8, device=device)

    def looped(turn):
        compiled = torch.compile(turn, backend="eager", dynamic=True)

        def refine(x, steps):
            for _ in range(steps):
                x = compiled(x)
            return x

        return refine

    return observe(turn, [(x, steps) for steps in STEPS], compile=looped)


def shows(report):
    assert report.exception is None, report.exception
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, len(STEPS)))
