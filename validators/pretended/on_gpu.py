"""A target moved to the GPU, as its user would move it."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import torch
from torch.utils import _pytree as pytree

from validators.inspector.loading.target import Step, Target, TargetError, copy_of, tensors_in
from validators.probes.arguments import Arguments
from validators.worker.user_code import sentence

_GPU = torch.device("cuda")


def on_gpu(target: Target) -> Target:
    """The target with its model and the tensors of its calls on the GPU.

    A factory that puts anything there itself has decided what lies where.

    Raises:
        TargetError: it cannot be moved.
    """
    tensors = [it for call in target.calls for it in tensors_in((call.args, call.kwargs))]
    state = [*target.model.parameters(), *target.model.buffers()] if target.model else []
    if any(it.is_cuda for it in (*tensors, *state)):
        return target
    try:
        calls = tuple(_moved(copy_of(it)) for it in target.calls)
        if target.model is None:
            return dataclasses.replace(target, calls=calls)
        model = target.model.to(_GPU)
        run = _step(target.run, model) if isinstance(target.run, Step) else model
    except Exception as error:
        said = f"the target cannot be moved to a GPU: {sentence(error)}"
        raise TargetError(f"{said}; have its factory do that") from error
    return dataclasses.replace(target, run=run, model=model, calls=calls)


def _step(step: Step, model: torch.nn.Module) -> Step:
    """The training step with an optimizer of the moved parameters."""
    moved = copy.copy(step)
    moved.model = moved._forward = model
    moved.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    return moved


def _moved(call: Arguments) -> Arguments:
    args, kwargs = pytree.tree_map(_tensor, (call.args, call.kwargs))
    return Arguments(args, kwargs)


def _tensor(value: Any) -> Any:
    """A value on the GPU; a tensor keeps its marks of dynamic dims."""
    if not isinstance(value, torch.Tensor):
        return value
    moved = value.detach().to(_GPU).requires_grad_(value.requires_grad)
    for name, mark in vars(value).items():
        if name.startswith("_dynamo_"):
            setattr(moved, name, mark)
    return moved
