"""Chains of ops that a silent error compiles wrongly, and where a model has the same ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from validators.worker.window import Range

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
_ROOM = 3
"""A chain of a model may be so many times as long as that of the error, for ops between them."""


def chain_name(called: str) -> str:
    """The name that an op has in a chain, of what it calls: `torch.Tensor.clip_` is `clamp_`."""
    attribute = _ATTRIBUTE.match(called)
    name = attribute[1] if attribute else called.rpartition(".")[2]
    plain = name.strip("_")
    in_place = name.endswith("_") and not name.startswith("__") and plain not in _OPERATORS
    if plain.startswith("i") and plain[1:] in _IN_PLACE:
        plain, in_place = plain[1:], True
    return _SAME.get(plain, plain) + "_" * in_place


def places(chain: Sequence[str], ops: Sequence[str]) -> Iterator[Range]:
    """The shortest ranges of a model's `ops` that have all of a chain's, in any order."""
    lacking = Counter(chain)
    left = len(chain)
    first = 0
    for last, name in enumerate(ops, 1):
        left -= lacking[name] > 0
        lacking[name] -= 1
        if left:
            continue
        while lacking[ops[first]] < 0:
            lacking[ops[first]] += 1
            first += 1
        if last - first <= _ROOM * (len(chain) + 2):
            yield first, last
        lacking[ops[first]] += 1
        left += 1
        first += 1


def merged(ranges: Sequence[Range]) -> list[Range]:
    """The same ops as ranges that are in order and apart."""
    found: list[Range] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found
