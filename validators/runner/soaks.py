"""Soak examples: call what *after* compiles again, as its users would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from validators.evidence.stored.soaks import KINDS, Soak, soak_digest
from validators.probes.modes import UNCOMPILED
from validators.runner.processes.outcome import Outcome
from validators.runner.programs import ExampleJob, Programs, run_programs

_TIMES = 3
"""How many times as long as the example itself a soak of it may take."""
_WORKER = "validators.inspector.soaking.soak"


@dataclass(frozen=True)
class Soaked:
    """A soak, and the CPU seconds that it took."""

    job: ExampleJob
    soak: Soak
    cpu_seconds: float


def run_soaks(
    jobs: Sequence[ExampleJob],
    width: int,
    isolation: str,
    budget: float | None,
    listener: Callable[[Soaked], None],
) -> None:
    """Soak `jobs` of one environment, `width` at a time, and call `listener` after each.

    No job starts once `budget` seconds have passed.
    """
    run_programs(jobs, _soak, width, isolation, budget, listener)


async def _soak(programs: Programs) -> Soaked:
    job = programs.job
    eager = await _run(programs, UNCOMPILED, {})
    compiled = None
    if not (reason := _broken(eager)) and any(eager.result["trials"]):
        compiled = await _run(programs, "", eager.result)
        reason = _broken(compiled)
    kinds = {} if compiled is None or reason else compiled.result["kinds"]
    soak = Soak(
        digest=soak_digest(job.case),
        torch=job.env.fingerprint.torch,
        error=reason,
        held=[kind for kind in KINDS if kinds.get(kind) == ""],
        limits={kind: kinds[kind] for kind in KINDS if kinds.get(kind)},
    )
    return Soaked(job, soak, programs.cpu_seconds)


async def _run(programs: Programs, mode: str, chosen: dict[str, object]) -> Outcome:
    """Soak the program without compiling, or compiled, then with the `chosen` trials."""
    meta = programs.job.case.meta
    return await programs.run(
        "after",
        timeout=_TIMES * meta.timeout,
        task="soak",
        module=_WORKER,
        mode=mode,
        chosen=chosen,
        results=str(programs.results),
        compares="remedy" not in meta.results,
    )


def _broken(done: Outcome) -> str:
    """Why a run of the program says nothing; "" if it says something."""
    if done.failure:
        return done.failure
    raised = done.result["raised"]
    return f"the program raises {raised}" if raised else ""
