import torch
from torch import nn

from validators.probes import observe


def accumulating(own_gradients):
    """Two micro-batches for each step, whose gradients are added up."""

    def compile_(model):
        compiled = torch.compile(model, mode="reduce-overhead")
        for parameter in model.parameters() if own_gradients else ():
            parameter.grad = torch.zeros_like(parameter)

        def step(x):
            model.zero_grad(set_to_none=not own_gradients)
            for part in x.chunk(2):
                compiled(part).square().mean().backward()
            return model.weight.grad.norm()

        return step

    return compile_


def train(device, own_gradients):
    model = nn.Linear(16, 16).to(device)
    x = torch.randn(8, 16, device=device)
    return observe(model, [(x,)] * 4, compile=accumulating(own_gradients))


def symptom(device):
    return train(device, own_gradients=False)


def remedy(device):
    return train(device, own_gradients=True)


def shows(report):
    seen = report.cudagraphs
    if report.exception is None:
        return seen is None or seen.replays == 0
    return seen is not None and seen.overwritten_outputs > 0
