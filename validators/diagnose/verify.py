"""Prove a fix: the first target's calls, made by both, and what the compiler did to each."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import Any

from validators.diagnose.asking import Asking, ask_all
from validators.diagnose.findings import Health, Verification
from validators.diagnose.masking import masked
from validators.diagnose.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError

_COUNTED = ("breaks", "recompiles", "limits")
SHARE = 0.01
"""How much less of the ops may run compiled before that counts as worse."""


@dataclass(frozen=True)
class Fix:
    """The two targets, the options of `torch.compile`, and the seconds for each part."""

    before: Spec
    after: Spec
    options: dict[str, Any]
    timeout: float


@dataclass(frozen=True)
class Reference:
    """What fixes of one target are compared with: its calls, recorded in a file, and its health."""

    recording: str
    calls: int
    made_up: int
    health: Health


def verified(fix: Fix, env: Environment) -> Verification:
    """Whether `fix.after` computes what `fix.before` does, and compiles better.

    Raises:
        CasebookError: a target cannot be used, or a part ends without a result.
    """

    async def run(asking: Asking) -> Verification:
        return await compared(asking, await referred(asking, fix.before), fix.after)

    return ask_all(env, fix.options, fix.timeout, run)


async def referred(asking: Asking, before: Spec) -> Reference:
    """Record the calls of a target; `asking` keeps them until its workers end.

    Raises:
        CasebookError: the target cannot be used, or a part ends without a result.
    """
    recording = tempfile.mkdtemp(dir=asking.workers.directory) + "/recording"
    made = await part_of(asking, before, "record", recording)
    health = health_of(await part_of(asking, before, "breaks", recording))
    return Reference(recording, made["calls"], made["made_up"], health)


async def compared(asking: Asking, before: Reference, after: Spec) -> Verification:
    """Whether `after` computes what was recorded, and compiles better.

    Raises:
        CasebookError: the target cannot be used, or a part ends without a result.
    """
    replay = await part_of(asking, after, "replay", before.recording)
    health = health_of(await part_of(asking, after, "breaks", before.recording))
    verification = Verification(
        before=before.health,
        after=health,
        calls=before.calls,
        made_up=before.made_up,
        better=_better(before.health, health),
        refused=refusals(before.health, health, replay),
    )
    told: Verification = masked(verification, after.folder)
    return told


async def part_of(asking: Asking, spec: Spec, part: str, recording: str) -> dict[str, Any]:
    """What a part of a diagnosis measures of a target, with the calls of a recording.

    Raises:
        CasebookError: the target cannot be used, or the part ends without a result.
    """
    try:
        done = await asking.ask(spec, part, recording)
    except CasebookError as error:
        raise CasebookError(masked(f"{spec}: {error}", spec.folder)) from None
    if done.failure:
        raise CasebookError(masked(f"{spec}: {done.failure}", spec.folder))
    return done.result


def health_of(found: dict[str, Any]) -> Health:
    """The health that the part `breaks` measured."""
    caught = found["raised"]
    return Health(
        graphs=found["graphs"],
        breaks=sum(it["count"] for it in found["breaks"]),
        recompiles=sum(it["count"] for it in found["recompiles"]),
        limits=len(found["limits"]),
        compiled=found["compiled_share"],
        raised=f"{caught['type']}: {caught['message']}".split("\n")[0] if caught else "",
    )


def _better(before: Health, after: Health) -> list[str]:
    """What the fix improves, in words."""
    said = []
    if before.raised and not after.raised:
        said.append("no exception")
    for name in _COUNTED:
        was, now = getattr(before, name), getattr(after, name)
        if now < was:
            said.append(f"{name}: {now}, were {was}")
    if _known(before, after) and after.compiled > before.compiled + SHARE:  # type: ignore[operator]
        said.append(f"compiled ops: {after.compiled:.1%}, were {before.compiled:.1%}")
    return said


def refusals(before: Health, after: Health, replay: dict[str, Any]) -> list[str]:
    """Why the fix is none, in words; empty if it is one."""
    said = []
    if replay["raised"]:
        said.append(f"compiled, {replay['raised']}")
    if replay["difference"]:
        said.append(f"it computes something else: {replay['difference']}")
    for name, (was, now) in replay["settings"].items():
        if name == "suppress_errors" or now > was:
            said.append(f"it sets torch._dynamo.config.{name} to {now}, which hides trouble")
    if _known(before, after) and after.compiled < before.compiled - SHARE:  # type: ignore[operator]
        said.append(
            f"it stopped compiling: {after.compiled:.1%} of the ops run compiled,"
            f" {before.compiled:.1%} did"
        )
    if after.graphs == 0:
        said.append("it compiles nothing")
    # A target that raised was not counted to its end.
    for name in () if before.raised else _COUNTED:
        was, now = getattr(before, name), getattr(after, name)
        if now > was:
            said.append(f"it has more {name}: {now}, were {was}")
    if not said and not _better(before, after):
        said.append("nothing compiles better than before")
    return said


def _known(before: Health, after: Health) -> bool:
    return before.compiled is not None and after.compiled is not None
