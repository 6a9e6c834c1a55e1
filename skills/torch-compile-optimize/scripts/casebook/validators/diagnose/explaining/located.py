"""Where a wrong result comes from, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validators.diagnose.findings.finding import Avoided, Located, Place
from validators.diagnose.findings.words import place_of, several
from validators.diagnose.recording.events import foreign
from validators.files import PROGRAM
from validators.probes.told import user_frames

_MOST_OPS = 5
_SUBSYSTEMS = {
    "decomposition": "a decomposition",
    "pre_grad_passes": "a pass before autograd",
    "joint_graph_passes": "a pass over the joint graph",
    "post_grad_passes": "a pass over the forward or backward graph",
    "cudagraphs": "CUDA graphs",
    "lowerings": "the lowering of an op",
    "pre_grad_graph": "a graph before autograd",
}
"""What torch's bisector calls its subsystems, and what they are."""


def located_of(found: dict[str, Any]) -> Located | None:
    """Where the part `located` saw a wrong result come from; None if no trial showed it again."""
    if not found["backend"]:
        return None
    names = (
        "backend",
        "right",
        "cached",
        "ops",
        "program",
        "apart",
        "module",
        "kernels",
        "tried",
        "late",
    )
    known = {name: found[name] for name in names}
    bisected = {name: found[name] for name in ("subsystem", "application", "detail")}
    return Located(**known, **bisected, avoided=[Avoided(**it) for it in found["avoided"]])


def stack_of(found: dict[str, Any]) -> list[Place]:
    """The lines of the user's code that the last wrong op comes from, innermost first."""
    frames = user_frames(found["stack"], foreign) if found["stack"] else []
    return [place_of(**it) for it in frames]


def located_lines(it: Located) -> Iterator[str]:
    """Where a wrong result comes from, and what was seen to avoid it."""
    if it.cached:
        yield "right with cold caches; compiled code of an earlier call is taken for another"
    elif it.right:
        yield f'right with backend="{it.right}", wrong with "{it.backend}"{_subsystem(it)}'
    else:
        yield 'wrong with backend="eager" as well: Dynamo traces something else than the code does'
    if it.ops:
        yield f"wrong where only {_ops(it.ops)}"
    if it.apart:
        yield "tried, results equal: torch.compiler.disable on what does that, the rest compiled"
    if it.module:
        yield f"right where the module {it.module} stays eager"
    for setting in it.avoided:
        yield f"tried, results equal: {setting.setting}{_cost(it, setting)}"
    if it.tried and not it.avoided:
        yield f"none of {several(it.tried, 'setting')} avoids it"
    if it.late:
        yield "not all was tried for lack of time; see --timeout"
    yield from it.known
    if not it.cached and not it.known:
        yield f"`{PROGRAM} scan` says whether the error is known, and on which releases it is right"


def _subsystem(it: Located) -> str:
    if not it.subsystem:
        return ""
    known = _SUBSYSTEMS.get(it.subsystem)
    detail = f" ({it.detail.splitlines()[0]})" if known and it.detail else ""
    said = f"{known}, number {it.application}{detail}" if known else f"the setting {it.subsystem}"
    return f"; torch's bisector: {said}"


def _ops(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_OPS]) + (", ..." if len(names) > _MOST_OPS else "")
    if len(names) == 1:
        return f"this op is compiled: {shown}"
    return f"these {len(names)} ops in a row are compiled: {shown}"


def _cost(it: Located, setting: Avoided) -> str:
    if it.cached or it.backend != "inductor":
        return ""
    return f" ({several(setting.kernels, 'kernel')}, {it.kernels} without)"
