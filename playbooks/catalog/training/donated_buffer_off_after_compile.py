import torch
from torch import nn
from torch._functorch import config

from validators.probes import captured_facts


def relative_error(gradients, exact):
    pairs = zip(gradients, exact, strict=True)
    return max(((g - e).abs().max() / e.abs().max()).item() for g, e in pairs)


def second_pass(device, off_before_compile):
    decoder = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 1, 3)).to(device)
    image = torch.randn(2, 1, 8, 8, device=device)
    parameters = list(decoder.parameters())
    compiled = torch.compile(decoder)

    def errors():
        with config.patch(donated_buffer=not off_before_compile):
            compiled(image).square().sum().backward()
        with config.patch(donated_buffer=False):
            loss = compiled(image).square().sum()
            first = torch.autograd.grad(loss, parameters, retain_graph=True)
            second = torch.autograd.grad(loss, parameters)
        exact = torch.autograd.grad(decoder(image).square().sum(), parameters)
        return {"first": relative_error(first, exact), "second": relative_error(second, exact)}

    return captured_facts(errors=errors)


def symptom(device):
    return second_pass(device, off_before_compile=False)


def remedy(device):
    return second_pass(device, off_before_compile=True)


def shows(report):
    errors = report.facts.get("errors")
    if errors is None:
        return False
    return errors["first"] < 0.01 < 0.1 < errors["second"]
