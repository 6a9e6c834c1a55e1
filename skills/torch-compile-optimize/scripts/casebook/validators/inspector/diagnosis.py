"""The parts of a diagnosis: each runs a user's target once more, in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from validators.inspector.calls.recording import record
from validators.inspector.calls.regions import as_compiled, lightning_step
from validators.inspector.calls.replay import replayed, with_recorded_calls
from validators.inspector.calls.sizes import sized
from validators.inspector.costs.ablation import ablation, settings
from validators.inspector.costs.gain import gain
from validators.inspector.costs.latency import latency, whole
from validators.inspector.costs.results import results
from validators.inspector.costs.steady import steady
from validators.inspector.differences.located import located
from validators.inspector.differences.scan import scan
from validators.inspector.graphs.breaks import breaks
from validators.inspector.graphs.cudagraphs import cudagraphs
from validators.inspector.graphs.guards import guards
from validators.inspector.graphs.marks import shapes
from validators.inspector.loading import own_settings
from validators.inspector.loading.held import trusting, watching
from validators.inspector.loading.settings import holding
from validators.inspector.loading.target import Target, TargetError, check_mode, load, with_method
from validators.inspector.loading.written_trace import written_trace
from validators.worker import older_torch

Found = dict[str, Any]


def diagnose(request: dict[str, Any]) -> Found:
    """What one part of a diagnosis finds; `{"unusable": sentence}` if the target cannot be used."""
    older_torch.complete()
    # What one part has compiled, later ones need not compile again.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    shaping = request.get("shaping", {})

    def tell(text: str) -> None:
        Path(request["step"]).write_text(text, encoding="utf-8")

    try:
        check_mode(request["compile"].get("mode"))
        if request["recording"]:
            return _proved(request, tell)
        with own_settings.noting() as asked:
            target = _loaded(request, tell)
        target, regions, inlined = _as_compiled(target, asked, shaping)
        target = _shaped(target, shaping)
        with holding(shaping.get("settings", [])), written_trace(request["trace"]):
            found = _PARTS[request["part"]](target, request["compile"], shaping)
    except TargetError as error:
        return {"unusable": str(error)}
    told = {"regions": regions, "inlined": inlined, "step": lightning_step(target)}
    return {"calls": len(target.calls), "trains": target.trains, **told, **found}


def _loaded(request: dict[str, Any], tell: Callable[[str], None]) -> Target:
    if request["part"] in _COUNTING:
        # Threads that wait for each other take the processors from the part beside.
        torch.set_num_threads(1)
    large = request.get("shaping", {}).get("large", False)
    return load(request["target"], request["folder"], request["paths"], large, tell)


def _proved(request: dict[str, Any], tell: Callable[[str], None]) -> Found:
    """What a part finds of one of two targets that are compared, and what its code asks for."""
    with watching() as held:
        with own_settings.noting() as asked, trusting(held):
            target = _loaded(request, tell)
        found = _compared(target, request, own_settings.applied(asked, target))
    told = {"settings": held.values, "called": sorted(held.called)}
    return {**found, **told, "asked": own_settings.told(asked)}


def _compared(target: Target, request: dict[str, Any], own: Found) -> Found:
    """What a part finds of one of two targets that are compared; its `own` options hold."""
    part, path, options = request["part"], request["recording"], {**own, **request["compile"]}
    target = own_settings.uncompiled(target)
    if part == "record":
        return record(target, path, request["seconds"])
    target = with_recorded_calls(target, path)
    if part == "replay":
        options = {"backend": "inductor", **options}
        return replayed(target, path, options, request["seconds"], request["own"])
    if part == "steady":
        return steady(target, options, request)
    return _PARTS[part](target, options, {})


def _as_compiled(
    target: Target, asked: own_settings.Asked, shaping: Found
) -> tuple[Target, list[str], list[str]]:
    """The target with its own regions, unless the switches name another form; names of both."""
    if shaping.get("core") or shaping.get("whole"):
        return target, [], []
    return as_compiled(target, asked)


def _shaped(target: Target, shaping: Found) -> Target:
    """The target with the calls and the compiled method that the switches ask for."""
    # A wrong name is told before any part takes its time.
    settings(shaping.get("ablate", []))
    if method := shaping.get("core"):
        target = with_method(target, method)
    return sized(target, shaping.get("vary", {}), shaping.get("at_least", 0))


_COUNTING = ("breaks", "shapes")
"""Parts that neither time nor compare what torch computes."""
_PARTS: dict[str, Callable[[Target, Found, Found], Found]] = {
    "load": lambda *_: {},
    "breaks": lambda target, options, _: breaks(target, options),
    "whole": lambda target, options, _: whole(target, options),
    "latency": lambda target, options, _: latency(target, options),
    "results": results,
    "located": located,
    "scan": scan,
    "shapes": lambda target, options, shaping: shapes(target, options, shaping.get("seconds", 0.0)),
    "guards": lambda target, options, _: guards(target, options),
    "cudagraphs": lambda target, options, _: cudagraphs(target, options),
    "gain": gain,
    "ablation": ablation,
}
