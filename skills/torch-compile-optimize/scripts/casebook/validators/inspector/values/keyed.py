"""The parts of values that hold others, each with the keys that lead to it."""

from __future__ import annotations

from typing import Any

import torch.utils._pytree as pytree

Keys = tuple[Any, ...]


def keyed(value: Any) -> list[tuple[Keys, Any]]:
    """Return the leaves of a value, each with its keys.

    A package may register a class of its own without naming its parts, as diffusers does with its
    outputs: `tree_flatten_with_path` refuses such a value. Those parts are numbered.
    """
    parts = _parts(value)
    if [keys for keys, _ in parts] == [()]:
        return parts
    return [((*keys, *rest), leaf) for keys, part in parts for rest, leaf in keyed(part)]


def _parts(value: Any) -> list[tuple[Keys, Any]]:
    """What a value holds itself, with keys of length one; a leaf is its own only part."""

    def is_below(it: Any) -> bool:
        return it is not value

    try:
        return list(pytree.tree_flatten_with_path(value, is_leaf=is_below)[0])
    except ValueError:
        held = pytree.tree_flatten(value, is_leaf=is_below)[0]
        return [((pytree.SequenceKey(number),), it) for number, it in enumerate(held)]
