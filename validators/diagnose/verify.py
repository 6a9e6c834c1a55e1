"""Prove a fix: the first target's calls, made by both, and what the compiler did to each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validators.diagnose.asking import Asking, ask_all
from validators.diagnose.findings import Health, Verification
from validators.diagnose.masking import masked, masked_struct
from validators.diagnose.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError

_COUNTED = ("breaks", "recompiles", "limits")
_SHARE = 0.01
"""How much less of the ops may run compiled before a fix counts as having stopped compiling."""


@dataclass(frozen=True)
class Fix:
    """The two targets, the options of `torch.compile`, and the seconds for each part."""

    before: Spec
    after: Spec
    options: dict[str, Any]
    timeout: float


def verified(fix: Fix, env: Environment) -> Verification:
    """Whether `fix.after` computes what `fix.before` does, and compiles better.

    Raises:
        CasebookError: a target cannot be used, or a part ends without a result.
    """
    found = ask_all(env, fix.options, fix.timeout, lambda asking: _run(fix, asking))
    before, after = _health(found["before"]), _health(found["after"])
    verification = Verification(
        before=before,
        after=after,
        calls=found["record"]["calls"],
        made_up=found["record"]["made_up"],
        better=_better(before, after),
        refused=_refused(before, after, found["replay"]),
    )
    told: Verification = masked_struct(verification, fix.after.folder)
    return told


async def _run(fix: Fix, asking: Asking) -> dict[str, dict[str, Any]]:
    recording = str(asking.workers.directory / "recording")

    async def ask(spec: Spec, part: str) -> dict[str, Any]:
        try:
            done = await asking.ask(spec, part, recording)
        except CasebookError as error:
            raise CasebookError(masked(f"{spec}: {error}", spec.folder)) from None
        if done.failure:
            raise CasebookError(masked(f"{spec}: {done.failure}", spec.folder))
        return done.result

    return {
        "record": await ask(fix.before, "record"),
        "replay": await ask(fix.after, "replay"),
        "before": await ask(fix.before, "breaks"),
        "after": await ask(fix.after, "breaks"),
    }


def _health(found: dict[str, Any]) -> Health:
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
    if _known(before, after) and after.compiled > before.compiled + _SHARE:  # type: ignore[operator]
        said.append(f"compiled ops: {after.compiled:.1%}, were {before.compiled:.1%}")
    return said


def _refused(before: Health, after: Health, replay: dict[str, Any]) -> list[str]:
    """Why the fix is none, in words; empty if it is one."""
    said = []
    if replay["raised"]:
        said.append(f"compiled, {replay['raised']}")
    if replay["difference"]:
        said.append(f"it computes something else: {replay['difference']}")
    for name, (was, now) in replay["settings"].items():
        if name == "suppress_errors" or now > was:
            said.append(f"it sets torch._dynamo.config.{name} to {now}, which hides trouble")
    if _known(before, after) and after.compiled < before.compiled - _SHARE:  # type: ignore[operator]
        said.append(
            f"it stopped compiling: {after.compiled:.1%} of the ops run compiled,"
            f" {before.compiled:.1%} did"
        )
    if after.graphs == 0:
        said.append("it compiles nothing")
    for name in _COUNTED:
        was, now = getattr(before, name), getattr(after, name)
        if now > was:
            said.append(f"it has more {name}: {now}, were {was}")
    if not said and not _better(before, after):
        said.append("nothing compiles better than before")
    return said


def _known(before: Health, after: Health) -> bool:
    return before.compiled is not None and after.compiled is not None
