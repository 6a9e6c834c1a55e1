"""The part `gain`: steady calls of eager mode and of compiled code by turns, and their memory."""

from __future__ import annotations

from typing import Any

from validators.inspector.calls.turns import FIRST_CALL, Variants, Withheld, by_turns, runs_of
from validators.inspector.loading.target import Target
from validators.worker.measuring import FirstCall, peak_bytes

Found = dict[str, Any]
FEWEST = 10
"""With fewer turns, nobody makes an interval of them."""


def gain(target: Target, options: dict[str, Any], shaping: Found) -> Found:
    """Seconds of eager, eager again and compiled calls, taken by turns after a warm-up.

    "withheld" says why there are no seconds, else it is "". Slow calls are only timed if somebody
    asks for enough of them. "timed" is what a turn does: where eager mode cannot repeat the first
    call, it makes all calls on a target made anew. "first" is the first compiled call; the
    compilers may find in a cache what `results` has compiled.
    "peak_bytes" is the memory that a call takes, in addition to what is there when it begins.
    """
    variants: Variants = {
        "eager": None,
        "again": None,
        "compiled": {"backend": "inductor", **options},
    }
    runs = runs_of(target, variants)
    first = runs["compiled"] = FirstCall(runs["compiled"])
    try:
        found = by_turns(target, variants, runs, shaping.get("steps", 0), FEWEST)
    except Withheld as why:
        return {"withheld": str(why)}
    if found["timed"] != FIRST_CALL:
        return found
    peaks = {name: peak_bytes(runs[name], target.calls[0]) for name in ("eager", "compiled")}
    return {**found, "first": first.found, "peak_bytes": peaks}
