"""The calls that a fix must answer: a target's own, and others that follow from them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.target import Target, tensors_in
from validators.inspector.values.rounding import cast, mapped
from validators.probes.arguments import Arguments

_DTYPES = (torch.float64, torch.bfloat16, torch.float16, torch.float32)
_MOST_DTYPES = 3
_MOST_CALLS = 2
"""Of so many of the target's own calls others are made."""
_MOST_SIZES = 3
"""Of so many sizes that vary others are made."""
_FACTORS = (8, 100, -1, 0)
"""What values are multiplied by."""

Labelled = list[tuple[str, Arguments]]
"""Calls with their names."""


@dataclasses.dataclass(frozen=True)
class Round:
    """Calls that are made one after the other, on a target of their own.

    The first `own` of them are the target's, which eager mode must be able to make. `thorough`
    rounds run with the backend that was asked for; the others are about the code alone, and need
    none. With `backward`, gradients of the outputs are compared where no loss is given. Before the
    call of the number `moved`, the parameters get other values, after everything was set up.
    `training` is the mode of a model that its factory leaves in the other one. Rounds in another
    `dtype` may be as inexact as in those of `others`, which the code may name. `odd` rounds hold
    what code need not provide for: it may raise, or return what is not finite. `refused` are calls
    that raise in eager mode, with what they say.
    """

    calls: Labelled
    own: int = 0
    thorough: bool = False
    backward: bool = False
    moved: int | None = None
    training: bool | None = None
    dtype: torch.dtype | None = None
    others: frozenset[torch.dtype] = frozenset()
    odd: bool = False
    refused: tuple[tuple[str, Arguments, str], ...] = ()

    def of(self, target: Target) -> Target:
        """The target in the form that this round runs, changed in place."""
        if target.model is not None and self.dtype is not None:
            target.model.to(self.dtype)
        if target.model is not None and self.training is not None:
            target.model.train(self.training)
        return target

    def move(self, target: Target, number: int) -> None:
        """Change the target's parameters in place if that comes before the call of this number."""
        if target.model is None or number != self.moved:
            return
        with torch.no_grad():
            for value in target.model.parameters():
                if value.is_floating_point():
                    value.mul_(1 + 1 / 16)


def rounds(target: Target) -> Iterator[Round]:
    """All calls: the target's own with some that resemble them, other sizes, other dtypes."""
    own = [(f"call {n}", it) for n, it in enumerate(target.calls)]
    some = own[:_MOST_CALLS]
    yield Round([*own, *_resembling(own)], own=len(own), thorough=True)
    moved = [(f"{name} with parameters changed in place", it) for name, it in some]
    before = [("call 0 in a round of its own", own[0][1])]
    sized = [*_of_other_sizes(target.calls), *_with_gradients(own[0])]
    yield Round([*before, *moved, *sized], backward=True, moved=1)
    if target.model is not None:
        training = not target.model.training
        mode = "training" if training else "evaluation"
        yield Round([(f"{own[0][0]} in {mode} mode", own[0][1])], training=training)
    yield Round([*_of_other_values(own[0]), *_of_other_strides(own[0])])
    # Where no size varies, others may not go with the numbers that a call holds.
    yield Round(_of_size(1, target.calls), odd=not varying(target.calls))
    # Nothing but NaN would be left of what an optimizer has changed.
    odd = [] if target.trains else list(_not_finite(own[0]))
    yield Round([*_of_size(0, target.calls), *odd], odd=True)
    taken = _dtypes(target)
    for dtype in [it for it in _DTYPES if taken and it not in taken][:_MOST_DTYPES]:
        name = str(dtype).removeprefix("torch.")
        made = [(f"{label} in {name}", _cast(it, dtype)) for label, it in some]
        yield Round(made, backward=True, dtype=dtype, others=taken)


def _resembling(own: Labelled) -> Labelled:
    """The calls in reverse order, with other values, with one row more."""
    found = [(f"{name} again", it) for name, it in reversed(own)]
    for name, item in own[:_MOST_CALLS]:
        reversed_rows = mapped(item, lambda value: value.flip(0) if value.dim() else value)
        found.append((f"{name} with its rows reversed", reversed_rows))
        found.append((f"{name} with other values", mapped(item, _other_values)))
        if any(_is_index(it) for it in _tensors(item)):
            turned = mapped(item, lambda value: value.flip(-1) if _is_index(value) else value)
            found.append((f"{name} with its whole numbers reversed", turned))
        if len({it.shape[0] for it in _tensors(item) if it.dim()}) == 1:
            found.append((f"{name} with one row more", mapped(item, _one_row_more)))
    return found


def _other_values(value: torch.Tensor) -> torch.Tensor:
    return value * 0.5 + 0.25 if value.is_floating_point() else value


def _is_index(value: torch.Tensor) -> bool:
    """Whether a tensor holds whole numbers in rows, such as tokens; others may be lengths."""
    return value.dim() > 1 and value.dtype in (torch.int64, torch.int32)


def _of_other_values(call: tuple[str, Arguments]) -> Labelled:
    """A call with values that get to other branches; whole numbers may be indices, and stay."""
    name, item = call
    return [
        (f"{name} with values times {factor}", mapped(item, partial(_times, factor)))
        for factor in _FACTORS
    ]


def _times(factor: int, value: torch.Tensor) -> torch.Tensor:
    return value * factor if _changes(value) else value


def _not_finite(call: tuple[str, Arguments]) -> Labelled:
    """A call with a number in each tensor that is not finite."""
    name, item = call
    return [
        (f"{name} with a number that is {value}", mapped(item, partial(_with_last, value)))
        for value in ("nan", "inf")
    ]


def _with_last(last: str, value: torch.Tensor) -> torch.Tensor:
    if not _changes(value) or not value.numel():
        return value
    made = value.clone()
    made[(-1,) * value.dim()] = float(last)
    return made


def _of_other_strides(call: tuple[str, Arguments]) -> Labelled:
    """A call whose tensors hold the same elements, with their columns together in memory."""
    name, item = call
    if all(it.dim() < 2 for it in _tensors(item)):
        return []
    return [(f"{name} with tensors of other strides", mapped(item, _by_columns))]


def _by_columns(value: torch.Tensor) -> torch.Tensor:
    if value.dim() < 2:
        return value
    return value.transpose(0, -1).contiguous().transpose(0, -1)


def _with_gradients(call: tuple[str, Arguments]) -> Labelled:
    """A call whose inputs require gradients, as in a larger model."""
    name, item = call

    def changed(value: Any) -> Any:
        number = isinstance(value, torch.Tensor) and _changes(value)
        return value.detach().clone().requires_grad_() if number else value

    if all(it.requires_grad for it in _tensors(item) if _changes(it)):
        return []
    made = Arguments(*pytree.tree_map(changed, (item.args, item.kwargs)))
    return [(f"{name} with inputs that require gradients", made)]


def _changes(value: torch.Tensor) -> bool:
    return bool(value.is_floating_point() or value.is_complex())


def _one_row_more(value: torch.Tensor) -> torch.Tensor:
    return torch.cat([value, value[-1:]]) if value.dim() else value


def varying(calls: Sequence[Arguments]) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """The sizes that vary between the calls: the dims, by tensor and number, that take them.

    Dims that take the same sizes call by call are one.
    """
    alike = [it for it in calls if _dims(it) == _dims(calls[0])]
    shapes = [[tuple(value.shape) for value in _tensors(it)] for it in alike]
    found: dict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    for number, shape in enumerate(shapes[0]):
        for dim in range(len(shape)):
            found[tuple(it[number][dim] for it in shapes)].append((number, dim))
    return {sizes: dims for sizes, dims in found.items() if len(set(sizes)) > 1}


def _of_other_sizes(calls: Sequence[Arguments]) -> Labelled:
    """The first call with larger and smaller sizes of what varies; 0 and 1 are cases apart."""
    found = []
    for sizes, dims in list(varying(calls).items())[:_MOST_SIZES]:
        for size in (2 * max(sizes) + 1, min(sizes) - 1):
            if size > 1:
                made = _resized(calls[0], dims, size)
                found.append((f"call 0 with size {size} in place of {sizes[0]}", made))
    return found


def _of_size(size: int, calls: Sequence[Arguments]) -> Labelled:
    """The first call with a size of 0 or 1: of what varies, or else of the first dims."""
    dims = list(varying(calls).values())[:_MOST_SIZES] or [_first_dims(calls[0])]
    return [
        (f"call 0 with size {size} in dim {it[0][1]}", _resized(calls[0], it, size))
        for it in dims
        if it
    ]


def _first_dims(item: Arguments) -> list[tuple[int, int]]:
    """The first dims that have the size of the first one."""
    shapes = [(number, it.shape[0]) for number, it in enumerate(_tensors(item)) if it.dim()]
    return [(number, 0) for number, size in shapes if size == shapes[0][1]]


def _resized(item: Arguments, dims: list[tuple[int, int]], size: int) -> Arguments:
    """A call whose tensors, by their numbers, repeat or leave out what they hold in some dims."""
    leaves, spec = pytree.tree_flatten((item.args, item.kwargs))
    places = [n for n, it in enumerate(leaves) if isinstance(it, torch.Tensor)]
    for number, dim in dims:
        value = leaves[places[number]]
        rows = torch.arange(size, device=value.device) % max(1, value.shape[dim])
        made = value.detach().index_select(dim, rows)
        leaves[places[number]] = made.requires_grad_(value.requires_grad)
    return Arguments(*pytree.tree_unflatten(leaves, spec))


def _cast(item: Arguments, dtype: torch.dtype) -> Arguments:
    return mapped(item, lambda value: cast(value, dtype))


def _dtypes(target: Target) -> frozenset[torch.dtype]:
    """The dtypes of a target's numbers of floating point."""
    values = [] if target.model is None else list(target.model.parameters())
    values += [it for item in target.calls for it in _tensors(item)]
    return frozenset(it.dtype for it in values if it.is_floating_point())


def _dims(item: Arguments) -> list[int]:
    return [it.dim() for it in _tensors(item)]


def _tensors(item: Arguments) -> list[torch.Tensor]:
    return tensors_in((item.args, item.kwargs))
