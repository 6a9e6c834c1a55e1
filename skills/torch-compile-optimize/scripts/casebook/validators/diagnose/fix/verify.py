"""Prove a fix: the first target's calls, made by both, and what the compiler did to each."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from validators.diagnose.findings.finding import Health, Steady, Verification
from validators.diagnose.fix.judging import better, only_about_compiling, refusals, remarks
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, Watch, ask_all
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.runner.processes.outcome import DIED

_MANY_OPS = "both have many ops, which Inductor takes minutes to compile for all calls"


@dataclass(frozen=True)
class Fix:
    """The two targets, the options of `torch.compile`, and the seconds for each part.

    A `quick` proof times nothing.
    """

    before: Spec
    after: Spec
    options: dict[str, Any]
    timeout: float
    quick: bool = False


@dataclass(frozen=True)
class Reference:
    """What fixes of one target are compared with: its calls, recorded in a file, and its health.

    `recorded` is what the part `record` told.
    """

    recording: str
    recorded: dict[str, Any]
    health: Health


def verified(fix: Fix, env: Environment, watch: Watch | None = None) -> Verification:
    """Whether `fix.after` computes what `fix.before` does, and compiles better.

    `watch` hears of each part that runs.

    Raises:
        CasebookError: a target cannot be used, or a part ends without a result.
    """

    async def run(asking: Asking) -> Verification:
        # A module that is missing is told before the other target takes its time.
        await part_of(asking, fix.after, "load", "")
        reference = await referred(asking, fix.before)
        measured = await measured_of(asking, reference, fix.after)
        found = judged(reference, measured, fix.after)
        if only_about_compiling(found.refused):
            failed = await _failure_of(asking, fix.before, reference.recording)
            health = replace(reference.health, failed=failed)
            found = judged(replace(reference, health=health), measured, fix.after)
        if fix.quick or found.refused:
            return found
        if measured[0]["slow"]:
            return replace(found, steady=Steady(withheld=_MANY_OPS))
        return replace(found, steady=await _timed(asking, fix, reference.recording))

    return ask_all(env, fix.options, fix.timeout, run, watch)


async def _failure_of(asking: Asking, spec: Spec, recording: str) -> str:
    """How the recorded calls of a target fail where the target itself is compiled; "" if none does.

    What `breaks` counts is compiled by another backend, which may know no such trouble. A process
    that dies fails as well; one that takes too long decides nothing.
    """
    more = {"seconds": asking.timeout, "own": True}
    done = await asking.ask(spec, "replay", recording, more=more)
    if done.failure:
        return f"compiled, it {done.failure}" if done.failure.startswith(DIED) else ""
    different = done.result["different"]
    other = [f"compiled, it computes something else: {it}" for it in different]
    return masked(next(iter([*done.result["raised"], *other]), ""), spec.folder)  # type: ignore[no-any-return]


async def referred(asking: Asking, before: Spec) -> Reference:
    """Record the calls of a target; `asking` keeps them until its workers end.

    Raises:
        CasebookError: the target cannot be used, or a part ends without a result.
    """
    recording = tempfile.mkdtemp(dir=asking.workers.directory) + "/recording"
    recorded = await part_of(asking, before, "record", recording)
    counted = await part_of(asking, before, "breaks", recording)
    return Reference(recording, with_told(recorded, counted), health_of(counted))


async def compared(asking: Asking, before: Reference, after: Spec) -> Verification:
    """Whether `after` computes what was recorded, and compiles better.

    Raises:
        CasebookError: the target cannot be used, or a part ends without a result.
    """
    return judged(before, await measured_of(asking, before, after), after)


async def measured_of(
    asking: Asking, before: Reference, after: Spec
) -> tuple[dict[str, Any], Health]:
    """What a target computes with the recorded calls, and its health.

    Raises:
        CasebookError: the target cannot be used, or a part ends without a result.
    """
    replay = await part_of(asking, after, "replay", before.recording)
    counted = await part_of(asking, after, "breaks", before.recording)
    return with_told(replay, counted), health_of(counted)


def judged(before: Reference, measured: tuple[dict[str, Any], Health], after: Spec) -> Verification:
    """The verdict on what was measured of a target."""
    replay, health = measured
    verification = Verification(
        before=before.health,
        after=health,
        calls=before.recorded["calls"],
        made_up=before.recorded["made_up"],
        better=better(before.health, health),
        refused=refusals(before.health, health, before.recorded, replay),
        named=list(remarks(before.health, health, before.recorded, replay)),
        partial="; ".join(_missing(before.recorded, replay)),
    )
    told: Verification = masked(verification, after.folder)
    return told


def _missing(recorded: dict[str, Any], replay: dict[str, Any]) -> Iterator[str]:
    """What the calls would show that time did not allow."""
    if replay["slow"]:
        yield "Inductor compiled the first call only, which has many ops; Dynamo alone the others"
    if recorded["hasty"] or replay["hasty"]:
        yield "calls of other sizes and dtypes were left out for lack of time; see --timeout"


def with_told(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What a part found, with what two parts tell of the settings that held and of calls."""
    settings = dict(one["settings"])
    for name, values in other["settings"].items():
        known = settings.get(name, [])
        settings[name] = known + [it for it in values if it not in known]
    return {**one, "settings": settings, "called": sorted({*one["called"], *other["called"]})}


async def part_of(asking: Asking, spec: Spec, part: str, recording: str) -> dict[str, Any]:
    """What a part of a diagnosis measures of a target, with the calls of a recording.

    Raises:
        CasebookError: the target cannot be used, or the part ends without a result.
    """
    try:
        more = {"seconds": asking.timeout, "own": False}
        done = await asking.ask(spec, part, recording, more=more)
    except CasebookError as error:
        # Some sentences begin with the target.
        name, said = masked(str(spec), spec.folder), masked(str(error), spec.folder)
        raise CasebookError(said if said.startswith(name) else f"{name}: {said}") from None
    if done.failure:
        raise CasebookError(masked(f"{spec}: {done.failure}", spec.folder))
    return done.result


async def _timed(asking: Asking, fix: Fix, recording: str) -> Steady:
    """How long warm calls take, compared; what fails here is no reason against the fix."""
    after = fix.after
    other = {"target": str(after), "folder": str(after.folder), "paths": list(after.paths)}
    try:
        done = await asking.ask(fix.before, "steady", recording, more={"other": other})
    except CasebookError as error:
        return Steady(withheld=str(error))
    found: Steady = masked(steady_of(done.result or {"withheld": done.failure}), after.folder)
    return found


def steady_of(found: dict[str, Any]) -> Steady:
    """The ratio of the seconds that the part `steady` measured."""
    if found["withheld"]:
        return Steady(withheld=found["withheld"])
    taken = found["seconds"]
    low, high = _ratios(taken["other"], taken["first"])
    noise = _ratios(taken["again"], taken["first"])
    apart = low > max(1.0, noise[1]) or high < min(1.0, noise[0])
    return Steady(low, high, noise, decided=apart)


def _ratios(one: list[float], other: list[float]) -> tuple[float, float]:
    """The range of the ratios of two series, turn by turn, without a tenth at each end."""
    ratios = sorted(a / b for a, b in zip(one, other, strict=True))
    cut = len(ratios) // 10
    return ratios[cut], ratios[-1 - cut]


def health_of(found: dict[str, Any]) -> Health:
    """The health that the part `breaks` measured."""
    return Health(
        graphs=found["graphs"],
        breaks=sum(it["count"] for it in found["breaks"]),
        recompiles=sum(it["count"] for it in found["recompiles"]),
        limits=len(found["limits"]),
        compiled=found["compiled_share"],
        raised=_exception(found["raised"]),
        work=found.get("work", {}),
        outside=found.get("outside", {}),
        operators=found.get("operators", []),
        cold=_exception(found.get("cold")),
    )


def _exception(caught: dict[str, Any] | None) -> str:
    return _in_one_line(f"{caught['type']}: {caught['message']}") if caught else ""


def _in_one_line(message: str) -> str:
    """The first line of a message, with the second if the first only announces it."""
    first, *others = [it.strip() for it in message.splitlines() if it.strip()]
    return " ".join([first, *others[:1]]) if first.endswith(":") else first
