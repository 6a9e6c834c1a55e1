import torch

from validators.probes import observe


def approach(x, target):
    x = x - x.mean()
    for _ in range(4):
        step = 0.5 * (target - x)
        if step.norm() > 1:
            step = step / step.norm()
        x = x + step
    return x


def bounded_step(x, target):
    step = 0.5 * (target - x)
    if step.norm() > 1:
        step = step / step.norm()
    return x + step


def approach_by_steps(x, target):
    x = x - x.mean()
    for _ in range(4):
        x = bounded_step(x, target)
    return x


def walk(function, device, **options):
    x, target = torch.zeros(8, device=device), torch.ones(8, device=device)
    return observe(function, [(x, target), (x, target)], **options)


def symptom(device):
    return walk(approach, device, eager=True)


def remedy(device):
    return walk(approach_by_steps, device)


def shows(report):
    return any(b.skipped_frame for b in report.graph_breaks) and not report.graphs
