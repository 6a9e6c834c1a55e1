import torch

from validators.probes import observe

STEPS = 6


def step_parameter(p, grad, state):
    """One parameter's update of an optimizer of one's own, as Adam does it."""
    state["step"] += 1
    state["average"].lerp_(grad, 0.1)
    p.sub_(0.01 * state["average"] / (1 - 0.9 ** state["step"]))


def train(device, step):
    p, grad = torch.ones(8, 8, device=device), torch.full((8, 8), 0.5, device=device)
    state = {"step": step, "average": torch.zeros_like(p)}
    return observe(step_parameter, [(p, grad, state)] * STEPS)


def symptom(device):
    return train(device, step=0)


def remedy(device):
    return train(device, step=torch.zeros((), device=device))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1) + (0,) * (STEPS - 2)
