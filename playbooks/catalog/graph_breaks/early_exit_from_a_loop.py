import torch

from validators.probes import observe


def until_close(x, target):
    for _ in range(6):
        step = torch.tanh(target - x)
        if step.norm() < 0.5:
            break
        x = x + step / 2
    return x


def six_steps(x, target):
    done = torch.zeros((), dtype=torch.bool, device=x.device)
    for _ in range(6):
        step = torch.tanh(target - x)
        done = done | (step.norm() < 0.5)
        x = torch.where(done, x, x + step / 2)
    return x


def walk(function, device, **options):
    x, target = torch.zeros(8, device=device), torch.ones(8, device=device)
    return observe(function, [(x, target), (x, 3 * target)], **options)


def symptom(device):
    return walk(until_close, device, eager=True)


def remedy(device):
    return walk(six_steps, device)


def shows(report):
    return len(report.graph_breaks) > 0
