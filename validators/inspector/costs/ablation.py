"""The part `ablation`: options of Inductor, each changed by itself."""

from __future__ import annotations

import difflib
from typing import Any

import torch

from validators.inspector.calls.turns import Variants, Withheld, by_turns, runs_of
from validators.inspector.differences.comparison import compared
from validators.inspector.loading.target import Target, TargetError, compiled
from validators.probes.inductor import _generated, called, launched

Found = dict[str, Any]


def settings(given: list[list[Any]]) -> list[tuple[str, Any]]:
    """The options of Inductor with their values, of names with values or None.

    Raises:
        TargetError: Inductor has no such option, or it takes no such value.
    """
    known = torch._inductor.list_options()
    return [(name, _value(name, value, known)) for name, value in given]


def ablation(target: Target, options: dict[str, Any], shaping: Found) -> Found:
    """What each option in `shaping["ablate"]`, a list of names with values, changes by itself.

    A value of None turns a switch over. "default" and each of "options" hold "kernels" and
    "externs", how many the first call launches, and what it cost and computed. "seconds" are those
    of "default", of "again", compiled a second time as the noise floor, and of "changed".
    """
    chosen = settings(shaping["ablate"])
    options = {"backend": "inductor", **options}
    default = _compiled(target.again(), options)
    found = []
    for name, value in chosen:
        changed = {**options, "options": {**options.get("options", {}), name: value}}
        made = _compiled(target.again(), changed)
        broken = default["raised"] or made["raised"]
        timed = {} if broken else _timed(target, options, changed, shaping.get("steps", 0))
        found.append({"name": name, "value": value, "was": _now(name), **made, **timed})
    return {"default": default, "options": found}


def _timed(target: Target, default: Found, changed: Found, steps: int) -> Found:
    torch._dynamo.reset()
    variants: Variants = {"default": default, "again": default, "changed": changed}
    try:
        return by_turns(target, variants, runs_of(target, variants), steps)
    except Withheld as why:
        return {"withheld": str(why)}


def _compiled(target: Target, options: dict[str, Any]) -> Found:
    with _generated() as codes:
        seen = compared(target, lambda it: compiled(it.run, options), lambda *_: False)
    return {
        "kernels": sum(len(launched(code)) for code in codes),
        "externs": sum(len(called(code)) for code in codes),
        **seen,
    }


def _value(name: str, value: Any, known: list[str]) -> Any:
    if name not in known:
        near = difflib.get_close_matches(name, known, 3)
        hint = f"; did you mean {', '.join(near)}?" if near else "; see torch._inductor.config"
        raise TargetError(f"--ablate-config: Inductor has no option {name!r}{hint}")
    now = _now(name)
    if value is not None:
        if now is not None and not isinstance(value, type(now)):
            kind = type(now).__name__
            raise TargetError(f"--ablate-config: {name} takes a {kind}, not {value!r}")
        return value
    if not isinstance(now, bool):
        raise TargetError(f"--ablate-config: {name} is {now!r}, no switch; write {name}=VALUE")
    return not now


def _now(name: str) -> Any:
    """The value of an option as it stands."""
    now: Any = torch._inductor.config
    for part in name.split("."):
        now = getattr(now, part)
    return now
