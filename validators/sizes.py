"""Bytes in words."""

from __future__ import annotations

_UNITS = ("B", "KiB", "MiB", "GiB")


def size(count: int) -> str:
    """A number of bytes with three digits: 33152 is "32.4 KiB"."""
    value, unit = float(count), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    digits = f"{value:.3g}" if value < 999.5 else f"{value:.0f}"
    return f"{digits} {_UNITS[unit]}"
