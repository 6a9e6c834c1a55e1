import torch
from torch import nn
from torch._functorch import config

from validators.probes import observe

ADVERSARIAL_FROM, EPOCHS = 2, 4


def training_loop(decoder, latent, image):
    compiled = torch.compile(decoder, backend="aot_eager")

    def step(epoch):
        loss = nn.functional.mse_loss(compiled(latent), image)
        if epoch >= ADVERSARIAL_FROM:
            # The adaptive weight of an adversarial loss: a gradient at the last layer.
            torch.autograd.grad(loss, decoder[-1].weight, retain_graph=True)
        loss.backward()
        return loss.detach()

    return step


def train(device):
    decoder = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), nn.SiLU(), nn.Conv2d(8, 3, 1))
    latent, image = torch.randn(2, 4, 8, 8, device=device), torch.randn(2, 3, 8, 8, device=device)
    return observe(
        decoder.to(device),
        [(epoch,) for epoch in range(EPOCHS)],
        compile=lambda model: training_loop(model, latent, image),
    )


def symptom(device):
    return train(device)


def remedy(device):
    with config.patch(donated_buffer=False):
        return train(device)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.call == ADVERSARIAL_FROM, caught.call
        return True
    return report.backward_executions != 2 * EPOCHS - ADVERSARIAL_FROM
