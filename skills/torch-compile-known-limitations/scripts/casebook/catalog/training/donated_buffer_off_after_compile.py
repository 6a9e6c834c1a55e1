import torch
from torch import nn
from torch._functorch import config

from validators.probes import captured_facts


def relative_error(gradients, exact):
    pairs = zip(gradients, exact, strict=True)
    return torch.stack([(g - e).abs().max() / e.abs().max() for g, e in pairs]).max().item()


def refuses_to_keep(loss, parameters):
    """Whether the check is there that the option takes away."""
    with config.patch(donated_buffer=True):
        try:
            torch.autograd.grad(loss, parameters, retain_graph=True)
        except RuntimeError as error:
            return "non-empty donated buffers" in str(error)
    return False


def second_pass(device, off_before_compile):
    decoder = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 1, 3)).to(device)
    image = torch.randn(2, 1, 8, 8, device=device)
    parameters = list(decoder.parameters())
    compiled = torch.compile(decoder)

    def errors():
        with config.patch(donated_buffer=not off_before_compile):
            compiled(image).square().sum().backward()
        refused = refuses_to_keep(compiled(image).square().sum(), parameters)
        with config.patch(donated_buffer=False):
            loss = compiled(image).square().sum()
            first = torch.autograd.grad(loss, parameters, retain_graph=True)
            second = torch.autograd.grad(loss, parameters)
        exact = torch.autograd.grad(decoder(image).square().sum(), parameters)
        return {
            "refused": refused,
            "first": relative_error(first, exact),
            "second": relative_error(second, exact),
        }

    return captured_facts(errors=errors)


def symptom(device):
    return second_pass(device, off_before_compile=False)


def remedy(device):
    return second_pass(device, off_before_compile=True)


def shows(report):
    errors = report.facts["errors"]
    assert errors["first"] < 0.01 and not 0.01 <= errors["second"] <= 0.1, errors
    assert errors["refused"], "there was no check that the option could take away"
    return not errors["second"] < 0.01
