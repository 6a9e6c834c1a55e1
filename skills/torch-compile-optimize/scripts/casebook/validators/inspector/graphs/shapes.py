"""Which shapes differ between the calls of a target."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.graphs.causes import nth_argument
from validators.inspector.loading.target import Target
from validators.inspector.values.keyed import keyed
from validators.probes.arguments import Arguments

Found = dict[str, Any]


def varying(target: Target) -> list[Found]:
    """The input dims whose size differs between calls; a size is None where there is no tensor."""
    found = []
    for path, shapes in _shapes(target).items():
        kinds = {len(it) for it in shapes if it is not None}
        for dim in range(kinds.pop() if len(kinds) == 1 else 0):
            sizes = [None if it is None else it[dim] for it in shapes]
            if len({*sizes} - {None}) > 1:
                name = _name_of(target, path)
                found.append({"path": path, "name": name, "dim": dim, "sizes": sizes})
    return found


def peers(target: Target, sizes: Sequence[int | None]) -> list[Found]:
    """The dims of tensors that some calls lack, which have these sizes in the calls that have them.

    Code that joins such a tensor with one that varies makes the size of both a constant, unless
    both are marked.
    """
    return [
        {"path": path, "name": _name_of(target, path), "dim": dim, "sizes": taken}
        for path, shapes in _shapes(target).items()
        if 0 < shapes.count(None) < len(shapes)
        for dim in range(min(len(it) for it in shapes if it is not None))
        if (taken := [it and it[dim] for it in shapes]) != list(sizes)
        and all(one in (None, other) for one, other in zip(taken, sizes, strict=True))
    ]


def tensors(item: Arguments) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors of a call, each with its path among the arguments."""
    for path, value in keyed((item.args, item.kwargs)):
        if isinstance(value, torch.Tensor):
            # The first key only says whether the argument has a name.
            first, *rest = path[1:] or [0]
            yield _plain(first) + "".join(map(_written, rest)), value


def _plain(key: Any) -> str:
    """The number or the name of an argument."""
    return str(getattr(key, "key", getattr(key, "idx", key)))


def _written(key: Any) -> str:
    """What code writes behind a value to get the part at `key`."""
    name = getattr(key, "key", None)
    return f'["{name}"]' if isinstance(name, str) and '"' not in name else pytree.keystr((key,))


def split_path(path: str) -> tuple[str, str]:
    """The number or the name of an argument, and what leads from there to a part of it."""
    length = min((path.find(it) for it in "[." if it in path), default=len(path))
    return path[:length], path[length:]


def _shapes(target: Target) -> dict[str, list[tuple[int, ...] | None]]:
    """The shape that each tensor argument has in each call, None where it is none."""
    seen: dict[str, list[tuple[int, ...] | None]] = {}
    for number, item in enumerate(target.calls):
        for path, value in tensors(item):
            shapes = seen.setdefault(path, [None] * len(target.calls))
            shapes[number] = tuple(value.shape)
    return seen


def changing(target: Target) -> Iterator[Found]:
    """The arguments that are a tensor in some calls only, or have another number of dims."""
    for path, shapes in _shapes(target).items():
        without = [number for number, it in enumerate(shapes) if it is None]
        dims = sorted({len(it) for it in shapes if it is not None})
        if without or len(dims) > 1:
            yield {"name": _name_of(target, path), "without": without, "dims": dims}


def _name_of(target: Target, path: str) -> str:
    """What the user calls an argument, by its path: that begins with its number or its name."""
    first, rest = split_path(path)
    run = target.run
    function = target.model.forward if target.model is not None else run
    try:
        names = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        names = []
    if not first.isdigit():
        return first + rest
    number = int(first)
    named = names[number : number + 1]
    if not named or named[0].kind is inspect.Parameter.VAR_POSITIONAL:
        return nth_argument(number, rest)
    return named[0].name + rest
