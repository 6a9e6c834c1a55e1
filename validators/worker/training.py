"""Have the calls of an arm train: their inputs require gradients, and each call runs backward."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_backwards = 0


def begin() -> None:
    """Train in every call that `observe` makes from now on."""
    from validators.probes import observation

    run = observation._run

    def training(target: Any, calls: Any, compile_: Callable[[Any], Any], *rest: Any) -> Any:
        return run(target, calls, lambda it: _trained(compile_(it)), *rest)

    observation._run = training  # type: ignore[assignment]


def backwards() -> int:
    """How many calls ran a backward pass."""
    return _backwards


def _trained(function: Callable[..., Any]) -> Callable[..., Any]:
    import torch
    from torch.utils._pytree import tree_leaves

    def floats(it: Any) -> list[torch.Tensor]:
        tensors = [leaf for leaf in tree_leaves(it) if isinstance(leaf, torch.Tensor)]
        return [tensor for tensor in tensors if tensor.is_floating_point()]

    @functools.wraps(function, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        global _backwards
        for tensor in floats((args, kwargs)):
            if tensor.is_leaf and not tensor.is_inference():
                tensor.requires_grad_()
        result = function(*args, **kwargs)
        losses = [out.double().sum() for out in floats(result) if out.requires_grad]
        if losses and torch.is_grad_enabled():
            sum(losses[1:], losses[0]).backward()
            _backwards += 1
        return result

    return call
