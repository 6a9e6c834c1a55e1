import functools

import torch
from torch import nn

from validators.probes import observe


class Generator(nn.Module):
    """An image, and the latent that it was made of."""

    def __init__(self):
        super().__init__()
        self.mapping = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
        self.synthesis = nn.Sequential(nn.Linear(8, 16), nn.Tanh())

    def forward(self, noise):
        latent = self.mapping(noise)
        return self.synthesis(latent), latent


def smoothness(noise, generator):
    """A loss that asks how steeply the image depends on its latent."""
    image, latent = generator(noise)
    (slope,) = torch.autograd.grad(image.sum(), latent, create_graph=True)
    return image.square().mean() + slope.square().mean()


def smoothness_in_one(noise, generator):
    def drawn(latent):
        image = generator.synthesis(latent)
        return image.sum(), image

    slope, image = torch.func.grad(drawn, has_aux=True)(generator.mapping(noise))
    return image.square().mean() + slope.square().mean()


def gradients(noise, loss, generator):
    generator.zero_grad()
    loss(noise, generator).backward()
    return [parameter.grad.clone() for parameter in generator.parameters()]


def train(device, compiled):
    torch.manual_seed(0)
    generator, noise = Generator().to(device), torch.randn(2, 4, device=device)
    target = functools.partial(gradients, loss=smoothness, generator=generator)
    # Eager mode takes the step: what raises in an arm is not the loss itself.
    target(noise)
    compile_ = functools.partial(torch.compile, backend="aot_eager", fullgraph=True)
    return observe(
        target,
        [(noise,), (noise,)],
        compile=lambda step: functools.partial(step, **compiled(compile_, generator)),
        compare=("eager",),
    )


def symptom(device):
    return train(device, lambda compile_, generator: {"generator": compile_(generator)})


def remedy(device):
    return train(device, lambda compile_, _: {"loss": compile_(smoothness_in_one)})


def shows(report):
    caught = report.exception
    if caught is None:
        far = max(call.difference.eager for call in report.calls)
        return not far < 1e-5 or len(report.graphs) != 1
    assert "appears to not have been used in the graph" in caught.message, caught.message
    # The forward pass has run, and the backward pass has not.
    return report.calls[0].executions == 1 and report.backward_executions == 0
