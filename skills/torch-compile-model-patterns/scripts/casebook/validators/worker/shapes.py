"""The part `shapes`: which dims vary between calls, and what marking them saves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.probes import observe
from validators.probes.arguments import Arguments
from validators.probes.differences import copied
from validators.worker.breaks import without_mode
from validators.worker.target import Target, copies


def shapes(target: Target, options: dict[str, Any]) -> dict[str, Any]:
    """How many graphs the calls need as they are, and with dims that vary marked as dynamic.

    Dims that take the same sizes call by call, such as the batch of several inputs, are one group.
    """
    options = {"backend": "eager", **without_mode(options)}
    groups: dict[tuple[int, ...], list[tuple[str, int]]] = defaultdict(list)
    for path, dim, sizes in _varying(target.calls):
        groups[tuple(sizes)].append((path, dim))

    def graphs(dims: list[tuple[str, int]]) -> int:
        calls = copies(target)
        for item in calls:
            for path, dim in dims:
                torch._dynamo.maybe_mark_dynamic(dict(tensors(item))[path], dim)
        return sum(observe(copied(target.run), calls, **options).compiled)

    varying = [
        {"sizes": list(sizes), "dims": dims, "graphs": graphs(dims)}
        for sizes, dims in groups.items()
    ]
    # Without such dims nothing is compared.
    return {"graphs": graphs([]) if varying else None, "varying": varying}


def tensors(item: Arguments) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors of a call, each with its path among the arguments."""
    leaves, _ = pytree.tree_flatten_with_path((item.args, item.kwargs))
    for path, value in leaves:
        if isinstance(value, torch.Tensor):
            # The first key only says whether the argument has a name.
            yield pytree.keystr(path[1:]).strip("[]'\"") or "0", value


def _varying(calls: tuple[Arguments, ...]) -> list[tuple[str, int, list[int]]]:
    """The input dims whose size differs between calls, as (path, dim, sizes)."""
    seen: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for item in calls:
        for path, value in tensors(item):
            seen[path].append(tuple(value.shape))
    found = []
    for path, sizes in seen.items():
        if len(sizes) < len(calls) or len({len(it) for it in sizes}) > 1:
            continue
        for dim in range(len(sizes[0])):
            taken = [it[dim] for it in sizes]
            if len(set(taken)) > 1:
                found.append((path, dim, taken))
    return found
