"""How far two answers are from each other, and how far rounding may take them.

What may be rounding is measured. The same call in float64, or with inputs and weights that differ
in the last bit, gives an answer that differs from the first by what the arithmetic loses.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.target import tensors_in
from validators.inspector.values.answers import Answer
from validators.inspector.values.leaves import Leaf, Leaves
from validators.inspector.values.slices import Allowed, allowed_by_slice, farthest
from validators.probes.arguments import Arguments

# How far fused and reordered arithmetic may differ, relative to a tensor's own magnitude.
_RELATIVE = {
    torch.float64: 1e-9,
    torch.complex128: 1e-9,
    torch.float32: 2e-4,
    torch.complex64: 2e-4,
}
_LOOSE = 4e-2
_TIMES = 10.0
"""How many times the measured rounding another order of the arithmetic may make."""
_STORED = 4.0
"""How many units in the last place adding up and storing a state may cost."""
_CANCELLED = 100.0
"""How many units of the largest part beside it what is left of a sum that cancels may be off.

Such is the gradient of a convolution's bias before a batch norm. Sums have float32's units or
smaller ones.
"""
_OF_UPDATES = 0.05
"""How far the updates of a weight may differ, by their mean squares.

AdamW makes a step of one size of any gradient. Where a gradient is nothing but rounding, its sign
decides a whole step.
"""
_LITTLE = 0.1
"""If more of an output than this may be rounding, comparing it says little."""
_PARTS = ("returned", "arguments", "gradients", "state")
"""The fields of an answer that must agree."""
Place = tuple[str, str]
"""Where in an answer a leaf is: the name of a field, and the path there."""


@dataclasses.dataclass(frozen=True)
class Expected:
    """An answer, and how far another one's parts may be from its own.

    Of parameters in `trained`, the mean squares count; of all else, the largest elements. `slices`
    holds the outputs of which a part is small.
    """

    answer: Answer
    allowed: dict[Place, float]
    trained: frozenset[str] = frozenset()
    slices: dict[Place, Allowed] = dataclasses.field(default_factory=dict)


def expected(
    reference: Answer,
    others: Sequence[Answer],
    initial: Leaves,
    trained: frozenset[str] = frozenset(),
    dtypes: frozenset[torch.dtype] = frozenset(),
) -> Expected:
    """What other answers are compared with.

    `others` differ from `reference` by rounding alone. `initial` is the state before the first
    call. Answers may be as inexact as in any of `dtypes`.
    """
    largest = largest_of(reference)
    allowed, slices = {}, {}
    for place, leaf in parts(reference):
        mean = _by_mean(place, trained)
        noise = _TIMES * max((_noise(leaf, it, place, mean) for it in others), default=0.0)
        if not isinstance(leaf.values, torch.Tensor) or exact(leaf):
            allowed[place] = noise
            continue
        known = {leaf.values.dtype, *dtypes}
        relative = _OF_UPDATES if mean else max(_RELATIVE.get(it, _LOOSE) for it in known)
        scale = scale_of(place, leaf, initial, mean)
        allowed[place] = relative * scale + noise + residue(leaf, largest)
        twins = [twin for it in others if (twin := at(it, place))]
        if place[0] == "returned" and (
            found := allowed_by_slice(leaf, twins, relative, _TIMES, _LITTLE)
        ):
            slices[place] = found
    return Expected(reference, allowed, trained, slices)


def parts(it: Answer) -> Iterator[tuple[Place, Leaf]]:
    """All parts of an answer that must agree, with their places."""
    for name in _PARTS:
        for path, leaf in (getattr(it, name) or {}).items():
            yield (name, path), leaf


def at(it: Answer, place: Place) -> Leaf | None:
    """The part of an answer at a place."""
    found: Leaves = getattr(it, place[0]) or {}
    return found.get(place[1])


def scale_of(place: Place, leaf: Leaf, initial: Leaves, mean: bool = False) -> float:
    """How large a part of an answer is; of state, how far it has changed since `initial`."""
    part, path = place
    if part == "state" and path in initial:
        changed = gap(leaf, initial[path], mean, finite=True)
        if changed is not None:
            return changed
    return magnitude(leaf, mean)


def largest_of(it: Answer) -> float:
    """The largest magnitude in all parts of an answer."""
    # Sums of whole numbers are as large as may be.
    counted = [leaf for _, leaf in parts(it) if leaf.whole() or not exact(leaf)]
    return max(map(magnitude, counted), default=0.0)


def residue(leaf: Leaf, largest: float, beside: float = 0.0) -> float:
    """What adding up and storing a part may cost.

    Where everything cancels, what is left is rounding of what cancels: `largest` bounds it. If more
    of a part may be no more than that, `beside` does.
    """
    assert isinstance(leaf.values, torch.Tensor)
    unit, size = torch.finfo(leaf.values.dtype).eps, magnitude(leaf)
    left = max(unit, _CANCELLED * min(unit, torch.finfo(torch.float32).eps))
    return float(max(_STORED * unit * size if size else unit * largest, left * beside))


def exact(leaf: Leaf) -> bool:
    """Whether a tensor has whole numbers or bools."""
    values = leaf.values
    return isinstance(values, torch.Tensor) and not (
        values.is_floating_point() or values.is_complex()
    )


def magnitude(leaf: Leaf, mean: bool = False) -> float:
    """The largest finite magnitude of the elements, or the root of their mean square."""
    if not isinstance(leaf.values, torch.Tensor):
        return 0.0
    values = _wide(leaf.values)
    return _norm(values[values.isfinite()].abs(), mean)


def gap(one: Leaf, other: Leaf, mean: bool = False, finite: bool = False) -> float | None:
    """How far two parts are from each other; None if they cannot be subtracted.

    Equal infinities and NaN beside NaN count 0. If all elements are exact (integers or bools), the
    number of those that differ counts. With `finite`, elements count that are finite in both.
    """
    left, right = one.values, other.values
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
        return 0.0 if left == right else None
    if left.shape != right.shape:
        return None
    if exact(one) and exact(other):
        return float((left != right).sum())
    left, right = _wide(left), _wide(right)
    same = (left == right) | (left.isnan() & right.isnan())
    if finite:
        same |= ~(left.isfinite() & right.isfinite())
    gaps = torch.where(same, 0.0, (left - right).abs()).nan_to_num(float("inf"), float("inf"))
    return _norm(gaps, mean)


def other_kind(ours: Answer, theirs: Answer, where: str = "before", new_zeros: bool = True) -> str:
    """Which part is there in only one answer, or is of another kind, in words; "" if none is.

    `where` says whose answer `theirs` is. State that only one of the two has is no difference.
    Without `new_zeros`, neither is a gradient of zeros that only ours has.
    """
    for place, leaf in parts(theirs):
        mine = at(ours, place)
        if mine is None and _has(ours, place):
            return f"{named(place)} is gone; {where}, it is {_told(leaf)}"
        if mine is not None and (mine.kind, mine.trains) != (leaf.kind, leaf.trains):
            return f"{named(place)} is {_told(mine)}; {where}, it is {_told(leaf)}"
    for place, leaf in parts(ours):
        if at(theirs, place) is None and _has(theirs, place):
            zeros = _gradient_of_zeros(place, leaf)
            if new_zeros or not zeros:
                said = f"{named(place)} is new: it is {_told(leaf)}"
                return f"{said}, all zero" if zeros else said
    return ""


def other_values(ours: Answer, wanted: Expected, finite: bool = False) -> str:
    """Which part has other values than expected, in words; "" if none has.

    With `finite`, only those that are finite count.
    """
    for place, leaf in parts(wanted.answer):
        mine = at(ours, place)
        if mine is not None and finite:
            mine = _where_finite(mine, leaf)
        if mine is not None and (said := _other_values(mine, leaf, place, wanted)):
            return f"{named(place)} {said}"
    return ""


def undetermined(wanted: Expected) -> str:
    """An output of which rounding may change a large part, in words; "" if there is none."""
    for (part, path), leaf in parts(wanted.answer):
        allowed, size = wanted.allowed[part, path], magnitude(leaf)
        if part == "returned" and size and allowed > _LITTLE * size:
            return f"rounding may change {path} by {allowed:.2g} of {size:.2g}"
    return ""


def in_double(model: torch.nn.Module | None, calls: list[Arguments]) -> list[Arguments]:
    """The calls in float64; the model is changed in place."""
    if model is not None:
        model.double()
    return [mapped(it, lambda value: cast(value, torch.float64)) for it in calls]


def in_other_bits(
    number: int, model: torch.nn.Module | None, calls: list[Arguments]
) -> list[Arguments]:
    """The calls with some last bits changed, others for each `number`; the model's, in place."""
    numbers = torch.Generator().manual_seed(number)
    if model is not None:
        with torch.no_grad():
            for value in (*model.parameters(), *model.buffers()):
                value.copy_(_other_bits(value, numbers))
    return [mapped(it, lambda value: _other_bits(value, numbers)) for it in calls]


def cast(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A tensor in another dtype if it has elements of floating point."""
    return value.to(dtype) if value.is_floating_point() else value


def mapped(item: Arguments, change: Callable[[torch.Tensor], torch.Tensor]) -> Arguments:
    """A call with all of its tensors changed; they need gradients if they did before.

    What shares memory with another argument does so afterwards, and an object stays one.
    """
    objects = {id(it): it for it in tensors_in((item.args, item.kwargs))}
    held = Counter(map(_memory, objects.values()))
    bases: dict[tuple[int, torch.dtype], torch.Tensor] = {}
    known: dict[int, torch.Tensor] = {}

    def of_memory(value: torch.Tensor) -> torch.Tensor:
        """The changed value, of memory that is changed as a whole."""
        key = _memory(value)
        if key not in bases:
            flat = torch.empty(0, dtype=value.dtype, device=value.device)
            bases[key] = change(flat.set_(value.untyped_storage())).clone()
        return bases[key].as_strided(value.shape, value.stride(), value.storage_offset())

    def changed(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) not in known:
            plain = value.detach()
            made = of_memory(plain) if held[_memory(value)] > 1 else change(plain).clone()
            known[id(value)] = made.requires_grad_(value.requires_grad)
        return known[id(value)]

    return Arguments(*pytree.tree_map(changed, (item.args, item.kwargs)))


def _memory(value: torch.Tensor) -> tuple[int, torch.dtype]:
    """What tells the memory of a tensor apart; of one that has none of its own, the object."""
    plain = type(value) in (torch.Tensor, torch.nn.Parameter) and value.layout is torch.strided
    address = value.untyped_storage().data_ptr() if plain else 0
    return address or id(value), value.dtype


def _other_bits(value: torch.Tensor, numbers: torch.Generator) -> torch.Tensor:
    """A tensor of which half of the elements are smaller by one unit in the last place.

    Those that are integers stay: code may ask whether a mask equals 1.
    """
    if not value.is_floating_point():
        return value
    steps = torch.randint(0, 2, value.shape, generator=numbers).to(value.device, value.dtype)
    moved = value * (1 - torch.finfo(value.dtype).eps * steps)
    return torch.where(value == value.round(), value, moved)


def _by_mean(place: Place, trained: frozenset[str]) -> bool:
    return place[0] == "state" and place[1] in trained


def _noise(leaf: Leaf, other: Answer, place: Place, mean: bool) -> float:
    twin = at(other, place)
    return (gap(twin, leaf, mean, finite=True) or 0.0) if twin is not None else 0.0


def _other_values(mine: Leaf, leaf: Leaf, place: Place, wanted: Expected) -> str:
    distance = gap(mine, leaf, _by_mean(place, wanted.trained))
    if distance is None and mine.kind != leaf.kind:
        return ""  # They are of other kinds.
    allowed = wanted.allowed[place]
    if distance is not None and distance <= allowed:
        return farthest(mine, leaf, wanted.slices.get(place, []))
    if not isinstance(leaf.values, torch.Tensor):
        return f"is {mine.values!r}; before, it is {leaf.values!r}"
    if exact(leaf) and leaf.values.numel() == 1:
        return f"is {mine.values.item()}; before, it is {leaf.values.item()}"
    if exact(leaf):
        return f"differs in {'' if leaf.whole() else 'at least '}{distance:.0f} elements"
    size = magnitude(leaf)
    said = f"differs by {distance:.3g}, and rounding by at most {allowed:.2g}"
    return f"{said}; before, it goes up to {size:.3g}"


def _where_finite(mine: Leaf, leaf: Leaf) -> Leaf:
    """A part with the values of another one wherever its own are not finite."""
    left, right = mine.values, leaf.values
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
        return mine
    if left.shape != right.shape:
        return mine
    return dataclasses.replace(mine, values=torch.where(left.isfinite(), left, right))


def _has(it: Answer, place: Place) -> bool:
    """Whether a part of an answer is missing, rather than asked of something that is not there."""
    part, path = place
    if part == "gradients":
        return it.gradients is not None and (path in it.state or path.startswith("argument "))
    return part != "state"


def named(place: Place) -> str:
    """What to call a part of an answer."""
    part, path = place
    if part == "gradients":
        return f"the gradient of {path}"
    if part == "state":
        return f"the model's {path}"
    return path


def _gradient_of_zeros(place: Place, leaf: Leaf) -> bool:
    values = leaf.values
    filled = isinstance(values, torch.Tensor) and values.numel() > 0
    return place[0] == "gradients" and filled and not values.any()


def _told(leaf: Leaf) -> str:
    return f"{leaf.kind} that requires gradients" if leaf.trains else leaf.kind


def _wide(values: torch.Tensor) -> torch.Tensor:
    return values.to(torch.complex128 if values.is_complex() else torch.float64)


def _norm(values: torch.Tensor, mean: bool) -> float:
    if not values.numel():
        return 0.0
    return float(values.square().mean().sqrt() if mean else values.max())
