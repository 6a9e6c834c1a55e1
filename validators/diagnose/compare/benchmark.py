"""Times of calls, as any benchmark can write them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Seconds = Annotated[list[Annotated[float, Meta(ge=1e-12, le=1e12)]], Meta(min_length=1)]
"""Times whose ratios are numbers."""


class Benchmark(Struct, frozen=True, kw_only=True):
    """Seconds of calls in the order in which they were made, as any benchmark can write them."""

    seconds: Seconds
    name: str = ""
