"""What the tests of several reference models do to a model."""

import torch
from torch import Tensor, nn


def amplify(model: nn.Module, factor: float) -> None:
    """Make weights so large that attention moves the outputs well past any tolerance."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(factor)


def gradients(model: nn.Module) -> dict[str, Tensor]:
    """A copy of every gradient; all parameters must have one."""
    found = {name: parameter.grad for name, parameter in model.named_parameters()}
    assert all(gradient is not None for gradient in found.values())
    return {name: gradient.clone() for name, gradient in found.items() if gradient is not None}


def step(model: nn.Module, batch: tuple[Tensor, ...], output: str = "logits") -> dict[str, Tensor]:
    """The model's output, under the name `output`, its loss and every gradient."""
    model.zero_grad()
    result, loss = model(*batch)
    loss.backward()
    return {output: result.detach(), "loss": loss.detach(), **gradients(model)}
