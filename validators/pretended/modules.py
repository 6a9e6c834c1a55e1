"""`Module.to("cuda")`: parameters cannot be swapped in place for fake ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

Change = Callable[[torch.Tensor], torch.Tensor]


def install() -> None:
    """Make new parameters where the changed ones are fake; what was one parameter stays one."""
    real = torch.nn.Module._apply

    def _apply(self: torch.nn.Module, fn: Change, recurse: bool = True) -> torch.nn.Module:
        tensors = [*self.parameters(recurse), *self.buffers(recurse)]
        if not any(isinstance(fn(it), FakeTensor) for it in tensors[:1]):
            return real(self, fn, recurse)
        changed: dict[int, torch.nn.Parameter] = {}
        for module in self.modules() if recurse else (self,):
            _change(module, fn, changed)
        return self

    torch.nn.Module._apply = _apply


def _change(module: torch.nn.Module, fn: Change, changed: dict[int, torch.nn.Parameter]) -> None:
    for name, parameter in module._parameters.items():
        if parameter is not None:
            if id(parameter) not in changed:
                changed[id(parameter)] = _parameter(parameter, fn)
            module._parameters[name] = changed[id(parameter)]
    for name, buffer in module._buffers.items():
        if buffer is not None:
            module._buffers[name] = fn(buffer)


def _parameter(parameter: torch.nn.Parameter, fn: Change) -> torch.nn.Parameter:
    with torch.no_grad():
        value = fn(parameter)
    if value is parameter:
        return parameter
    made = torch.nn.Parameter(value, parameter.requires_grad)
    attributes: dict[str, Any] = {**vars(parameter), **vars(made)}
    made.__dict__.update(attributes)
    if parameter.grad is not None:
        made.grad = fn(parameter.grad)
    return made
