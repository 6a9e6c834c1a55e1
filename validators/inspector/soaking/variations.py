"""What users vary about a call: sizes, numbers of items, dtypes, gradients, modes, instances."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.soaking.calls import Compiled, Setting, marked_like
from validators.inspector.values.rounding import cast
from validators.probes.arguments import Arguments

IDENTICAL = 20
"""How many identical calls are made."""
_CALLS = 4
"""How many calls each other kind takes."""
_VALUES = 4
"""How many new sizes, or numbers of items."""
_SETTLED = 3
"""After so many calls, or new values, nothing may compile."""
_DTYPES = (torch.bfloat16, torch.float64)
_RANGE = "_dynamo_dynamic_range"


@dataclass(frozen=True)
class Trial:
    """Some calls that vary one kind of thing.

    `own` says that the program's backend compiles. Otherwise Inductor makes no kernels, as the code
    decides about the kind. Of trials of one `choice`, the first counts that eager mode can make.
    From the call of the number `settled` on, nothing may compile. `each` names what is new in every
    call. With `backward`, gradients are made. The program's modules get the `dtype`. After the
    first call of a trial `anew`, a copy of the module runs.
    """

    kind: str
    choice: str
    calls: tuple[Arguments, ...]
    setting: Setting
    settled: int = _SETTLED
    own: bool = False
    each: str = ""
    dtype: torch.dtype | None = None
    backward: bool = False
    anew: bool = False


def trials(compiled: Compiled) -> Iterator[Trial]:
    """All trials of what a program compiled, made from its last call."""
    given, setting = compiled.given, compiled.setting
    assert given is not None and setting is not None
    yield Trial("calls", "calls", (given,) * IDENTICAL, setting, own=True)
    for changed in _of_other_sizes(given):
        yield Trial("sizes", "sizes", (given, given, *changed), setting, 2 + _SETTLED, each="size")
    for changed in _of_more_items(given):
        each = "number of items"
        yield Trial("items", "items", (given, given, *changed), setting, 2 + _SETTLED, each=each)
    for dtype in _DTYPES:
        call = _mapped(given, functools.partial(cast, dtype=dtype))
        yield Trial("dtype", str(dtype), (call,) * _CALLS, setting, dtype=dtype)
    trained = replace(setting, grad=True, inference=False)
    call = _mapped(given, _requiring_gradients)
    yield Trial("grad", "grad", (call,) * _CALLS, trained, own=True, backward=True)
    if setting.grad and not setting.inference:
        no_grad = replace(setting, grad=False)
        yield Trial("no_grad", "no_grad", (given,) * _CALLS, no_grad)
        inference = replace(no_grad, inference=True)
        yield Trial("inference_mode", "inference_mode", (given,) * _CALLS, inference)
    if compiled.owner is not None:
        yield Trial(
            "instance", "instance", (given,) * (1 + _CALLS), setting, 1 + _SETTLED, anew=True
        )


def _of_other_sizes(given: Arguments) -> Iterator[list[Arguments]]:
    """The call with four other sizes of its first dims, in several ways, the likeliest first."""
    values = [it for it in _tensors(given) if it.dim()]
    if not values:
        return
    size = Counter(len(it) for it in values).most_common(1)[0][0]
    batch = _with_rows(given, size)
    steps = range(1, _VALUES + 1)
    ways = [
        [size + it for it in steps],
        [size - it for it in steps],
        [size * (1 + it) for it in steps],
    ]
    for numbers in (batch, batch[:1]) if len(batch) > 1 else (batch,):
        allowed = [it for n in numbers for it in getattr(_tensors(given)[n], _RANGE, ())]
        for sizes in ways:
            if min(sizes) > 1 and size and all(_within(allowed, it) for it in sizes):
                yield [_resized(given, numbers, it) for it in sizes]


def _within(allowed: list[Any], size: int) -> bool:
    """Whether the ranges that a program marks its tensors with admit a size."""
    first = [it for it in allowed if it.dim == 0]
    return all((it.min or 0) <= size <= (it.max or size) for it in first)


def _resized(given: Arguments, numbers: list[int], size: int) -> Arguments:
    """The call whose tensors of these numbers repeat their rows, or leave out some."""
    chosen = [_tensors(given)[n] for n in numbers]

    def change(value: torch.Tensor) -> torch.Tensor:
        if not any(value is it for it in chosen):
            return value
        return value.index_select(0, torch.arange(size, device=value.device) % len(value))

    return _mapped(given, change)


def _of_more_items(given: Arguments) -> Iterator[list[Arguments]]:
    """The call with one, two, three and four items more in each list of one length.

    A list of whole numbers counts if they are sizes of the parts of a tensor, which grows as well.
    """
    named: list[tuple[int | str, Any]] = [*enumerate(given.args), *given.kwargs.items()]
    places = [key for key, value in named if type(value) in (list, tuple) and _counts(value)]
    if not places:
        return
    first = _at(given, places[0])
    together = [it for it in places if len(_at(given, it)) == len(first)]
    for chosen in (together, places[:1]) if len(together) > 1 else (together,):
        longer = [_longer(given, chosen, more) for more in range(1, _VALUES + 1)]
        if _is_tensor(first[0]):
            yield longer
        elif whole := _with_rows(given, sum(first)):
            yield [_resized(it, whole, sum(_at(it, places[0]))) for it in longer]


def _with_rows(given: Arguments, size: int) -> list[int]:
    """The numbers of the tensors whose first dim has a size."""
    return [n for n, it in enumerate(_tensors(given)) if it.dim() and len(it) == size]


def _counts(value: Sequence[Any]) -> bool:
    """Whether a list holds nothing but tensors, or nothing but whole numbers."""
    kinds = {torch.Tensor if _is_tensor(it) else type(it) for it in value}
    return kinds in ({torch.Tensor}, {int})


def _longer(given: Arguments, places: list[int | str], more: int) -> Arguments:
    args, kwargs = list(given.args), dict(given.kwargs)
    for place in places:
        value = _at(given, place)
        longer = type(value)([*value, *(_copied(value[-1]) for _ in range(more))])
        if isinstance(place, int):
            args[place] = longer
        else:
            kwargs[place] = longer
    return Arguments(tuple(args), kwargs)


def _copied(item: Any) -> Any:
    return marked_like(item, item.detach().clone()) if _is_tensor(item) else item


def _at(given: Arguments, place: int | str) -> Any:
    return given.args[place] if isinstance(place, int) else given.kwargs[place]


def _requiring_gradients(value: torch.Tensor) -> torch.Tensor:
    if not value.is_floating_point():
        return value
    return value.detach().clone().requires_grad_()


def _mapped(given: Arguments, change: Callable[[torch.Tensor], torch.Tensor]) -> Arguments:
    """The call with its tensors changed, which keep their marks; parameters stay as they are."""

    def changed(value: Any) -> Any:
        made = change(value) if _is_tensor(value) else value
        if made is value:
            return value
        trains = made.requires_grad or (value.requires_grad and made.is_floating_point())
        return marked_like(value, made.detach().requires_grad_(trains))

    return Arguments(*pytree.tree_map(changed, (given.args, given.kwargs)))


def _tensors(given: Arguments) -> list[torch.Tensor]:
    return [it for it in pytree.tree_leaves((given.args, given.kwargs)) if _is_tensor(it)]


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter)
