"""Calls of other sizes than the factory's own, made from its first call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.target import Target, TargetError, copy_of
from validators.probes.arguments import Arguments
from validators.probes.switches import force_eager
from validators.worker.user_code import sentence

_SWITCHES = ("--vary-batch", "--vary-seq")


def sized(target: Target, vary: dict[str, list[int]], at_least: int) -> Target:
    """The target with calls of the sizes in `vary`, which maps a dim ("0" or "1") to sizes.

    Every tensor that has the dim in its most frequent size is resized, by repeating or leaving out
    its own rows. `at_least` multiplies the batch of all calls until the smallest one is that large.

    Raises:
        TargetError: no tensor has the dim, or eager mode refuses a size.
    """
    calls = [
        _resized(target.calls[0], int(dim), size) for dim, sizes in vary.items() for size in sizes
    ] or list(target.calls)
    if at_least:
        batches = [_common(it, 0, "--large-scale") for it in calls]
        smallest = min(filter(None, batches), default=at_least)
        factor = -(-at_least // smallest)
        calls = [_resized(it, 0, factor * _common(it, 0, "--large-scale")) for it in calls]
    if not vary and not at_least:
        return target
    for item in calls:
        _check(target, item)

    def again(real: Callable[[], Target]) -> Target:
        fresh = real()
        return replace(fresh, calls=tuple(calls), again=lambda: again(fresh.again))

    return replace(target, calls=tuple(calls), again=lambda: again(target.again))


def _resized(item: Arguments, dim: int, size: int) -> Arguments:
    switch = _SWITCHES[dim]
    old = _common(item, dim, switch)

    def change(value: Any) -> Any:
        if not _has(value, dim) or value.shape[dim] != old:
            return value
        rows = torch.arange(size, device=value.device) % old
        made = value.detach().index_select(dim, rows)
        return made.requires_grad_(value.requires_grad)

    return Arguments(*pytree.tree_map(change, (item.args, item.kwargs)))


def _common(item: Arguments, dim: int, switch: str) -> int:
    """The size that most tensors of a call have in `dim`, the first one's if several do."""
    values = pytree.tree_leaves((item.args, item.kwargs))
    sizes = Counter(it.shape[dim] for it in values if _has(it, dim))
    if not sizes:
        raise TargetError(
            f"{switch}: no tensor of the first call has a dim {dim}; leave the switch out"
        )
    return int(sizes.most_common(1)[0][0])


def _has(value: Any, dim: int) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() > dim


def _check(target: Target, item: Arguments) -> None:
    try:
        with force_eager():
            given = copy_of(item)
            target.again().run(*given.args, **given.kwargs)
    except Exception as error:
        shapes = [
            list(it.shape)
            for it in pytree.tree_leaves((item.args, item.kwargs))
            if isinstance(it, torch.Tensor)
        ]
        raise TargetError(
            f"without compiling, the call with tensors of shape {shapes} raises {sentence(error)}; "
            "let the factory return calls of the sizes that you want"
        ) from error
