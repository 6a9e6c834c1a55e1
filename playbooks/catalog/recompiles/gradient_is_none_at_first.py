import torch

from validators.probes import observe


def clip(parameter):
    """Scales the gradient of one parameter, where there is one."""
    if parameter.grad is None:
        return parameter.new_zeros(())
    norm = parameter.grad.norm()
    return norm * torch.rsqrt(norm + 1)


def steps(device, first):
    """A call before the first backward, as a warm-up makes, and two steps of training."""
    parameter = torch.ones(8, device=device, requires_grad=True)
    parameter.grad = first(parameter)
    yield (parameter,)
    parameter.grad = torch.ones(8, device=device)
    yield (parameter,)
    yield (parameter,)


def symptom(device):
    with torch.no_grad():
        return observe(clip, steps(device, lambda parameter: None))


def remedy(device):
    with torch.no_grad():
        return observe(clip, steps(device, torch.zeros_like))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0)
