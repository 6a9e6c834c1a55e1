"""How much a warm pass computes, and what it computes where no compiler can look.

Work is the number of multiplications and additions of matrix products and convolutions, and one for
each element that another op computes. It tells two forms of a model apart on any machine, where
seconds do not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch

_ATEN = "aten::"
_VIEWS = frozenset(
    f"{_ATEN}{name}"
    for name in (
        "alias",
        "as_strided",
        "chunk",
        "detach",
        "diagonal",
        "empty",
        "empty_like",
        "empty_strided",
        "expand",
        "item",
        "_local_scalar_dense",
        "movedim",
        "narrow",
        "permute",
        "reshape",
        "resize_",
        "resolve_conj",
        "resolve_neg",
        "select",
        "slice",
        "split",
        "split_with_sizes",
        "squeeze",
        "t",
        "transpose",
        "unbind",
        "unfold",
        "unsqueeze",
        "_unsafe_view",
        "view",
        "view_as_real",
    )
)
"""Ops that compute no element."""
_LOOKUPS = ("embedding", "index", "gather", "scatter", "take")
"""Ops that touch few elements of a large tensor begin like that."""
_GUARDS = ("TorchDynamo Cache Lookup", "Pregraph bytecode")
"""What a profile calls the evaluation of guards, and of the sizes that a graph gets as arguments.

Both may run ops of their own.
"""
_TORCH = frozenset(("aten", "prim", "prims", "inductor", "c10d", "_c10d_functional"))
"""Namespaces of operators that are torch's own."""
Shapes = list[list[int]]


def work_of(events: Iterable[Any]) -> int:
    """The work of the ops below some events of a profile that recorded shapes."""
    return sum(_work(it) for it in events)


def operators_of(targets: Iterable[str]) -> list[str]:
    """The custom operators among what graphs call, such as `mine.whole.default`."""
    known = {it.partition(".")[0] for it in torch._C._dispatch_get_all_op_names()}
    names = {"::".join(it.split(".")[:2]) for it in targets if it.count(".") in (1, 2)}
    return sorted(it for it in names & known if not _torchs_own(it))


def _torchs_own(name: str) -> bool:
    """Whether an operator is torch's, and not one that somebody put into a namespace of torch's."""
    made = torch._library.custom_ops.OPDEFS.get(name)
    if made is not None:
        return str(made._init_fn.__module__).partition(".")[0] == "torch"
    told = re.search(r"registered at (.+\.py):", torch._C._dispatch_dump(name))
    there = told is None or Path(told[1]).is_relative_to(Path(torch.__file__).parent)
    return name.partition("::")[0] in _TORCH and there


def is_guard(event: Any) -> bool:
    """Whether an event of a profile evaluates guards or arguments, or is within one that does."""
    while event is not None:
        if event.name in _GUARDS:
            return True
        event = event.cpu_parent
    return False


def _work(event: Any) -> int:
    if event.name in _GUARDS:
        return 0
    shapes: Shapes = [list(it) for it in event.input_shapes or () if it]
    if event.name in _PRODUCTS:
        return _PRODUCTS[event.name](shapes)
    within = sum(map(_work, event.cpu_children))
    if not event.name.startswith(_ATEN) or event.name in _VIEWS or not shapes:
        return within
    return max(within, _elements(event.name.removeprefix(_ATEN), shapes))


def _elements(name: str, shapes: Shapes) -> int:
    """The number of elements that an op computes: of all inputs, broadcast if they can be."""
    sizes = [math.prod(it) for it in shapes]
    if name.lstrip("_").startswith(_LOOKUPS):
        return min(sizes)
    dims = max(map(len, shapes))
    columns = list(zip(*([1] * (dims - len(it)) + it for it in shapes), strict=True))
    if all(size in (1, max(column)) for column in columns for size in column):
        return math.prod(map(max, columns))
    return max(sizes)


def _product(left: list[int], right: list[int]) -> int:
    """The additions and multiplications of a product of matrices, with a batch or without."""
    return 2 * math.prod(left) * right[-1]


def _convolution(shapes: Shapes) -> int:
    """As if the stride were 1, which a profile does not tell."""
    given, weight = shapes[:2]
    return 2 * given[0] * math.prod(given[2:]) * math.prod(weight)


def _attention(shapes: Shapes) -> int:
    query, key = shapes[:2]
    return 4 * math.prod(query) * key[-2]


_PRODUCTS: dict[str, Callable[[Shapes], int]] = {
    "aten::mm": lambda it: _product(it[0], it[1]),
    "aten::bmm": lambda it: _product(it[0], it[1]),
    "aten::addmm": lambda it: _product(it[1], it[2]),
    "aten::_addmm_activation": lambda it: _product(it[1], it[2]),
    "aten::baddbmm": lambda it: _product(it[1], it[2]),
    "aten::convolution": _convolution,
    "aten::_convolution": _convolution,
    "aten::_scaled_dot_product_flash_attention_for_cpu": _attention,
    "aten::_scaled_dot_product_efficient_attention": _attention,
    "aten::_scaled_dot_product_flash_attention": _attention,
    "aten::_scaled_dot_product_cudnn_attention": _attention,
}
"""Ops that multiply and add many times for each element, and how often."""
