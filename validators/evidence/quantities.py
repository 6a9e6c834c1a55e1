"""Numbers, times and counts as readers see them."""

from __future__ import annotations

_UNITS = (1, "s"), (1e-3, "ms"), (1e-6, "µs")


def written(value: float) -> str:
    """A number for readers: 1,943, but 0.0312."""
    if value == int(value):
        return f"{int(value):,}" if value < 1e9 else f"{value:.3g}"
    return f"{value:,.1f}" if value >= 100 else f"{value:.3g}"


def seconds(value: float) -> str:
    """A time in the unit that leaves it readable."""
    scale, unit = next((known for known in _UNITS if value >= known[0]), _UNITS[-1])
    return f"{value / scale:.3g} {unit}"


def count(number: int, noun: str) -> str:
    """Such as "1 op" and "2 ops"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
