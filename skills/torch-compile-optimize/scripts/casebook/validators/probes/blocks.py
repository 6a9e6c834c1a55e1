"""Regional compilation: the repeated blocks of a model compiled, and nothing around them."""

from __future__ import annotations

from typing import Any

import torch


def compile_blocks(model: torch.nn.Module, pattern: str, **options: Any) -> torch.nn.Module:
    """Compile in place every submodule whose name matches, and return the model.

    A `*` in `pattern` stands for one part of a dotted name: "blocks.*" compiles `blocks.0`, not
    `blocks.0.linear`, "*" the model's children, and "" the model itself. `options` go to
    `Module.compile`. Raises ValueError where nothing matches.
    """
    named = dict(model.named_modules())
    blocks = [module for name, module in named.items() if _matches(name, pattern)]
    if not blocks:
        names = ", ".join(filter(None, named))
        raise ValueError(f"No submodule matches {pattern!r}; there are: {names}.")
    for block in blocks:
        block.compile(**options)
    return model


def _matches(name: str, pattern: str) -> bool:
    parts, wanted = name.split("."), pattern.split(".")
    return len(parts) == len(wanted) and all(
        want == part or (want == "*" and part) for want, part in zip(wanted, parts, strict=True)
    )
