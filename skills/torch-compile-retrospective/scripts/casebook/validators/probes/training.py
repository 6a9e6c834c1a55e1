"""A training step as one callable: forward, loss, backward and optimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


class TrainingStep:
    """One optimization step per call: `step(*inputs, target)` returns the detached loss.

    `observe` compiles its parts rather than the whole, as training loops do: the model, and the
    optimizer's step if asked for. Backward runs outside of Dynamo; what AOTAutograd compiled of
    it is counted in `Report.backward_executions`.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        loss: Callable[[Any, Any], torch.Tensor],
        compile_optimizer: bool = False,
    ) -> None:
        self.model = model
        self.optimizer = optimizer
        self.loss = loss
        self.compile_optimizer = compile_optimizer
        self._forward: Callable[..., Any] = model
        self._update: Callable[[], Any] | None = None

    def __call__(self, *inputs: Any) -> torch.Tensor:
        """Take one step; the last of `inputs` is the loss's target, the model gets the others."""
        self.optimizer.zero_grad()
        output = self._forward(*inputs[:-1])
        value = self.loss(output, inputs[-1])
        value.backward()
        (self._update or self.optimizer.step)()
        return value.detach()

    def compile_in_place(self, **options: Any) -> TrainingStep:
        """Compile the parts with `torch.compile(part, **options)`; `observe` calls this."""
        self._forward = torch.compile(self.model, **options)
        if self.compile_optimizer:
            self._update = torch.compile(self.optimizer.step, **options)
        return self


def training_step(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    loss: Callable[[Any, Any], torch.Tensor],
    compile_optimizer: bool = False,
) -> TrainingStep:
    """A target for `observe` that trains: `observe(training_step(m, opt, loss), [(x, y)])`.

    `optimizer` must hold `model`'s parameters; `loss(output, target)` returns a scalar tensor.
    With `compare=("gradients",)` the gradients of each step are compared with eager's.
    """
    return TrainingStep(model, optimizer, loss, compile_optimizer)
