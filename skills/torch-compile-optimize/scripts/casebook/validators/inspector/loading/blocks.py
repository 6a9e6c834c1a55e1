"""The blocks that a model repeats, and the model with these compiled one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch

from validators.inspector.loading.target import Target


def repeated(model: torch.nn.Module | None) -> list[str]:
    """The names of the blocks that a model repeats: children of a list, of one class and sizes."""
    if model is None:
        return []
    found: list[str] = []
    for name, module in model.named_modules():
        if not isinstance(module, (torch.nn.ModuleList, torch.nn.Sequential)):
            continue
        if any(name.startswith(f"{block}.") for block in found):
            continue
        kinds = defaultdict(list)
        for child, block in module.named_children():
            sizes = tuple(tuple(it.shape) for it in block.parameters())
            if sizes:
                kinds[type(block), sizes].append(f"{name}.{child}" if name else child)
        found += [it for names in kinds.values() if len(names) > 1 for it in names]
    return found


def block_by_block(target: Target, options: dict[str, Any]) -> Callable[..., Any]:
    """What the target runs, after its repeated blocks were compiled in place."""
    assert target.model is not None
    for name in repeated(target.model):
        owner, _, last = name.rpartition(".")
        parent = target.model.get_submodule(owner)
        # `Module.compile` leaves modules of torch.nn itself uncompiled on some releases.
        setattr(parent, last, torch.compile(target.model.get_submodule(name), **options))
    return target.run
