"""Chains of ops that a silent error compiles wrongly, by names that are alike in all code.

Plain names, without torch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Range = tuple[int, int]
"""The ops from the first number up to, not including, the second."""
ANY = "*"
"""Stands for any op that works element by element."""
_POINTWISE = {
    *("abs", "add", "clamp", "clone", "contiguous", "cos", "div", "erf", "exp", "gelu", "log"),
    *("mul", "neg", "pow", "reciprocal", "relu", "rsqrt", "sigmoid", "silu", "sin", "softplus"),
    *("softsign", "sqrt", "square", "sub", "tanh"),
}
_SAME = {
    "absolute": "abs",
    "and": "bitwise_and",
    "clip": "clamp",
    "concat": "cat",
    "concatenate": "cat",
    "divide": "div",
    "floordiv": "floor_divide",
    "invert": "bitwise_not",
    "mod": "remainder",
    "multiply": "mul",
    "negative": "neg",
    "or": "bitwise_or",
    "rsub": "sub",
    "subtract": "sub",
    "true_divide": "div",
    "truediv": "div",
    "xor": "bitwise_xor",
}
"""Names of torch and of Python's operators, and what else does the same."""
_IN_PLACE = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_OPERATORS = ("and", "or", "not", "is")
"""Functions of `operator` whose names end as those that work in place do."""
_ATTRIBUTE = re.compile(r"<attribute '(\w+)'")
_CUSTOM = re.compile(r"(?!(?:torch|aten|prims)\.)\w+\.")
"""The namespace of an op that is not torch's."""


def chain_name(called: str) -> str:
    """The name that an op has in a chain, of what it calls: `torch.Tensor.clip_` is `clamp_`."""
    if _CUSTOM.match(called):
        return "custom op"
    attribute = _ATTRIBUTE.match(called)
    name = attribute[1] if attribute else called.rpartition(".")[2]
    plain = name.strip("_")
    in_place = name.endswith("_") and not name.startswith("__") and plain not in _OPERATORS
    if plain.startswith("i") and plain[1:] in _IN_PLACE:
        plain, in_place = plain[1:], True
    return _SAME.get(plain, plain) + "_" * in_place


def with_any(chain: Sequence[str]) -> list[str]:
    """A chain in which all pointwise ops are alike, and all that work in place."""
    return [
        ANY + "_" * name.endswith("_") if name.rstrip("_") in _POINTWISE else name for name in chain
    ]


def ranges(numbers: Iterable[int]) -> list[Range]:
    """Numbers of ops as ranges that are in order and apart."""
    found: list[Range] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number:
            found[-1] = found[-1][0], number + 1
        else:
            found.append((number, number + 1))
    return found
