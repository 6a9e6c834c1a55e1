"""Which distances between results rounding explains; plain numbers, without torch."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any

CLOSE = 1e-3
"""Distances up to this are rounding, relative to what eager computes."""
TIMES = 4.0
"""How many times eager's distance from itself, or from float64, is rounding as well.

So is that from a call with other last bits: a gradient may be nothing but what cancels.
"""

_INFINITE = sys.float_info.max
"""Stands for an infinite distance, which JSON does not have."""


def as_json(distance: float) -> float:
    """The distance as JSON holds it: a NaN or an infinity of only one result is infinitely far."""
    return min(distance, _INFINITE)


def from_json(distance: float) -> float:
    """The distance that `as_json` made a number of."""
    return math.inf if distance >= _INFINITE else distance


def is_wrong(found: Mapping[str, Any]) -> bool:
    """Whether a call that was compared differs from eager by more than rounding explains.

    What eager mode does not repeat cannot be compared.
    """
    away, noise = found["eager"], found["noise"]
    if noise is None:
        return False
    if away is not None and away <= max(CLOSE, TIMES * max(noise, found.get("moved") or 0.0)):
        return False
    return not nearer_to_exact(found)


def first_wrong(differences: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The first "call" that rounding does not explain, and which "part" of it; {} if none is."""
    wrong = next((it for it in differences if is_wrong(it)), None)
    return {"call": wrong["call"], "part": wrong.get("kind") or wrong["part"]} if wrong else {}


def nearer_to_exact(found: Mapping[str, Any]) -> bool:
    """Whether the compiled call is about as near to float64's as eager is."""
    compiled, eager = found.get("compiled_float64"), found.get("eager_float64")
    return compiled is not None and eager is not None and compiled <= TIMES * eager
