"""Which outputs of a call share memory with what somebody else may change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.values.keyed import keyed
from validators.probes.arguments import Arguments

WRAPPED = "_orig_mod."
"""What torch.compile puts before the names of what a compiled module holds."""


def shared(
    returned: Any, item: Arguments, model: torch.nn.Module | None
) -> frozenset[tuple[str, str]]:
    """The outputs that share memory with an argument, or with what the model holds.

    A later call may change what the model holds, and with it what an earlier one has returned.
    """
    given: dict[int, str] = {}
    for name, value in (*_of_arguments(item), *_of_model(model)):
        if place := _memory(value):
            given.setdefault(place, name)
    return frozenset(
        (f"output{pytree.keystr(path)}", given[place])
        for path, value in keyed(returned)
        if (place := _memory(value)) in given
    )


def _of_arguments(item: Arguments) -> Iterator[tuple[str, Any]]:
    for name, argument in (*enumerate(item.args), *item.kwargs.items()):
        for path, value in keyed(argument):
            yield f"argument {name}{pytree.keystr(path)}", value


def _of_model(model: torch.nn.Module | None) -> Iterator[tuple[str, Any]]:
    """Parameters, buffers, and tensors in plain attributes, also within lists and dicts."""
    for prefix, module in model.named_modules() if model is not None else ():
        held = {**module._parameters, **module._buffers, **vars(module)}
        for name, value in held.items():
            path = f"the model's {prefix}.{name}" if prefix else f"the model's {name}"
            for inner, part in keyed(value):
                yield path.replace(WRAPPED, "") + pytree.keystr(inner), part


def _memory(value: Any) -> int:
    """Where a tensor's elements are; 0 for what has none."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return 0
    try:
        return int(value.untyped_storage().data_ptr())
    except Exception:
        return 0
