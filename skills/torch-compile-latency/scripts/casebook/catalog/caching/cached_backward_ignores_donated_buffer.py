import contextlib

import torch
from torch import nn
from torch._functorch import config as functorch_config
from torch._inductor import config as inductor_config

from validators.probes import captured_facts


def relative_error(gradients, exact):
    pairs = zip(gradients, exact, strict=True)
    return torch.stack([(g - e).abs().max() / e.abs().max() for g, e in pairs]).max().item()


def after_a_run_without_the_option(device, second_run):
    decoder = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 1, 3)).to(device)
    image = torch.randn(2, 1, 8, 8, device=device)
    parameters = list(decoder.parameters())

    def errors():
        with functorch_config.patch(donated_buffer=True):
            torch.compile(decoder)(image).square().sum().backward()
        # From here on as in a new process: nothing is left of the first run but its cache on disk.
        torch._dynamo.reset()
        with functorch_config.patch(donated_buffer=False), second_run:
            compiled = torch.compile(decoder)
            compiled(image).square().sum().backward()
            loss = compiled(image).square().sum()
            first = torch.autograd.grad(loss, parameters, retain_graph=True)
            second = torch.autograd.grad(loss, parameters)
        exact = torch.autograd.grad(decoder(image).square().sum(), parameters)
        return {"first": relative_error(first, exact), "second": relative_error(second, exact)}

    return captured_facts(errors=errors)


def symptom(device):
    return after_a_run_without_the_option(device, contextlib.nullcontext())


def remedy(device):
    return after_a_run_without_the_option(device, inductor_config.patch(force_disable_caches=True))


def shows(report):
    errors = report.facts["errors"]
    assert errors["first"] < 0.01 and not 0.01 <= errors["second"] <= 0.1, errors
    return not errors["second"] < 0.01
