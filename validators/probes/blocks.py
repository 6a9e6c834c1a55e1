"""Regional compilation: the repeated blocks of a model compiled, and nothing around them."""

from __future__ import annotations

from typing import Any

import torch


def compile_blocks(model: torch.nn.Module, pattern: str, **options: Any) -> torch.nn.Module:
    """Compile in place every submodule whose name matches, and return the model.

    A `*` in `pattern` stands for one part of a dotted name: "blocks.*" compiles `blocks.0`, not
    `blocks.0.linear`, and "*" the model's children. `options` go to `Module.compile`. Raises
    ValueError where nothing matches.
    """
    named = {name: module for name, module in model.named_modules() if name}
    blocks = [module for name, module in named.items() if _matches(name, pattern)]
    if not blocks:
        raise ValueError(f"No submodule matches {pattern!r}; there are: {', '.join(named)}.")
    for block in blocks:
        block.compile(**options)
    return model


def _matches(name: str, pattern: str) -> bool:
    parts, wanted = name.split("."), pattern.split(".")
    return len(parts) == len(wanted) and all(
        want in ("*", part) for want, part in zip(wanted, parts, strict=True)
    )
