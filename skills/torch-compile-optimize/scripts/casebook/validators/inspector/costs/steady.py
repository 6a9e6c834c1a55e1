"""The part `steady`: warm calls of two targets by turns, in one process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from validators.inspector.calls.replay import with_recorded_calls
from validators.inspector.calls.turns import Withheld, measured, seconds
from validators.inspector.loading import own_settings
from validators.inspector.loading.target import Target, TargetError, compiled, copies, load

Found = dict[str, Any]


def steady(target: Target, options: Found, request: Found) -> Found:
    """Seconds that all calls take, warm, of the target, of it "again", and of the "other" one.

    Both get the calls of `request["recording"]`. "withheld" says why there are no seconds, else it
    is "".
    """
    other = request["other"]
    _forget(Path(request["folder"]), Path(request["target"].rpartition(":")[0]).parent)
    try:
        with own_settings.noting() as asked:
            made = load(other["target"], other["folder"], other["paths"])
        own = own_settings.applied(asked, made)
        changed = with_recorded_calls(own_settings.uncompiled(made), request["recording"])
        first = _turn(target, {"backend": "inductor", **options})
        last = _turn(changed, {"backend": "inductor", **own, **request["compile"]})
        return measured({"first": first, "again": first, "other": last}, 0)
    except (TargetError, Withheld) as why:
        return {"withheld": str(why)}


def _forget(*folders: Path) -> None:
    """Have the modules of these folders imported anew: two targets may have modules of one name."""
    for name, module in list(sys.modules.items()):
        file = Path(getattr(module, "__file__", None) or "/")
        ours = name.partition(".")[0] == "validators" or "site-packages" in file.parts
        if not ours and any(file.is_relative_to(it.resolve()) for it in folders):
            del sys.modules[name]


def _turn(target: Target, options: Found) -> Callable[[], float]:
    """What makes all calls of a compiled target, and tells the seconds that they take."""
    run = compiled(target.run, options)

    def turn() -> float:
        calls = copies(target)

        def make() -> None:
            for item in calls:
                run(*item.args, **item.kwargs)

        return seconds(make, "a call that is repeated")

    return turn
