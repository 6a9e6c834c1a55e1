"""The part `results`: what the compiled target computes, and what its first call costs."""

from __future__ import annotations

from typing import Any

from validators.inspector.differences.comparison import compared_as_drawn
from validators.inspector.graphs.shapes import tensors
from validators.inspector.loading.blocks import repeated
from validators.inspector.loading.target import Target, compiled

Found = dict[str, Any]

_SLOW = 10.0
"""CPU seconds of a first call above which the whole model is not compiled for other sizes."""


def results(target: Target, options: dict[str, Any], shaping: Found) -> Found:
    """How far the compiled calls are from eager's, and what the first one costs.

    `shaping["blocks"]` says that `latency` compares all calls as well. Then a model with repeated
    blocks that compiles slowly is compiled whole for one size only; "left" counts the other calls.
    """
    options = {"backend": "inductor", **options}
    sizes = [[value.shape for _, value in tensors(it)] for it in target.calls]
    covered = shaping.get("blocks", False) and bool(repeated(target.model))

    def wanted(number: int, first: Found) -> bool:
        return not covered or first["cpu_seconds"] < _SLOW or sizes[number] == sizes[0]

    found = compared_as_drawn(target, options, lambda it, chosen: compiled(it.run, chosen), wanted)
    left = 0 if found["raised"] else len(target.calls) - len(found["differences"])
    return {**found, "left": left}
