"""Decide whether the claims of a skill hold on this torch and device, within a budget."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from validators.environment import Environment, describe
from validators.environment.lacking import lacking
from validators.errors import CasebookError
from validators.runner.arms import Arms, Setting
from validators.runner.event_loop import EventLoop, together
from validators.runner.outcome import Broken
from validators.runner.supervisor import adopt_orphans, end_orphans
from validators.runner.verdict import Ruling, rule
from validators.runner.workers import Workers
from validators.skillpack.shipped import command
from validators.skillpack.shipped.claims import Claim, claim_from, roots
from validators.verdicts import DECIDED

_ABOUT = """Decide whether the claims that this skill cites hold on this torch and device.

Each claim is a program with two arms. --case names any case of the references. The cheapest run
first, until the budget is spent. Making ready takes up to a minute on the first run with an
interpreter, and does not count.

For example: python scripts/doctor.py --budget 120"""
_STATUS = "0 what ran is as recorded, 1 something is not, 2 wrong usage, 3 nothing was decided."
_MOST_JOBS = 4


@dataclass
class Report:
    """What ran: `as_recorded` names claims, `surprising` and `undecided` say what happened.

    A verdict is as recorded if the skill's own evidence has it for this column; where there is
    none, if it is "confirmed".
    """

    as_recorded: list[str] = field(default_factory=list)
    surprising: list[dict[str, str]] = field(default_factory=list)
    undecided: list[dict[str, str]] = field(default_factory=list)
    not_reached: list[str] = field(default_factory=list)


def main(arguments: list[str]) -> command.Answer:
    """The report on the interpreter that the arguments name."""
    made = command.parser("doctor", _ABOUT, _STATUS)
    command.add_environment(made)
    made.add_argument("--budget", type=float, default=60.0, metavar="S", help="Wall seconds.")
    made.add_argument("--case", action="append", metavar="NAME", help="Only this; repeatable.")
    given = made.parse_args(arguments)
    env = describe(given.python, given.device)
    claims = _chosen([claim_from(it) for it in command.data("claims.json")["claims"]], given.case)
    found = _examined(claims, env, given.budget)
    told = {"column": env.column, "torch": env.fingerprint.torch, "claims": len(claims)}
    lists = ["surprising", "undecided", "as_recorded", "not_reached"]
    return command.within({**told, **vars(found)}, lists, given.full), _status(found)


def _chosen(claims: list[Claim], names: list[str] | None) -> list[Claim]:
    """The claims with these names; those that SKILL.md cites if no name is given."""
    if unknown := sorted({*(names or [])} - {it.name for it in claims}):
        raise CasebookError(
            f"--case: {unknown[0]} is not in this skill's references; search references/index.md"
        )
    return [it for it in claims if (it.name in names if names else it.cited)]


def _status(found: Report) -> int:
    if found.surprising:
        return 1
    return 0 if found.as_recorded else 3


def _examined(claims: list[Claim], env: Environment, budget: float) -> Report:
    report = Report()
    runnable = list(_runnable(claims, env, report))
    adopt_orphans()
    try:
        with EventLoop() as loop:
            loop.run(_run(runnable, env, budget, report))
    finally:
        end_orphans()
    return report


def _runnable(claims: list[Claim], env: Environment, report: Report) -> Iterator[Claim]:
    """The claims that mean something here, the cheapest first; timed ones only on a GPU."""
    for claim in sorted(claims, key=lambda it: (it.cpu_seconds, it.name)):
        unmet = lacking(claim, env) if env.device in claim.devices else "a CUDA device"
        if not unmet and claim.program.exclusive and env.device == "cpu":
            unmet = "a GPU, since it measures time"
        if unmet:
            report.undecided.append({"case": claim.name, "reason": f"needs {unmet}"})
        else:
            yield claim


async def _run(claims: list[Claim], env: Environment, budget: float, report: Report) -> None:
    jobs = max(1, min(_MOST_JOBS, os.cpu_count() or 1))
    async with Workers(env, "fork") as workers:
        command.tell("making ready")
        await workers.start()
        until = time.monotonic() + budget
        slots = asyncio.Semaphore(jobs)
        setting = Setting(workers, roots(), slots, jobs)
        queue = iter(claims)

        async def lane() -> None:
            for claim in queue:
                left = until - time.monotonic()
                try:
                    ruling = await asyncio.wait_for(_decided(claim, setting), max(left, 0.001))
                except asyncio.TimeoutError:  # noqa: UP041 - Python 3.10 has two
                    report.not_reached.append(claim.name)
                else:
                    command.tell(f"{claim.name}: {ruling.verdict}")
                    _note(report, claim, ruling, env.column)

        await together(*(lane() for _ in range(jobs)))


async def _decided(claim: Claim, setting: Setting) -> Ruling:
    arms = Arms(claim.program, setting)
    try:
        await arms.run({})
        shown = await arms.judged()
    except Broken as broken:
        return Ruling("error", broken.reason, {})
    return rule(shown, [pair["remedy"] for pair in arms.pairs], claim.leaves)


def _note(report: Report, claim: Claim, ruling: Ruling, column: str) -> None:
    if ruling.verdict not in DECIDED:
        report.undecided.append({"case": claim.name, "reason": ruling.reason})
    elif ruling.verdict == claim.decided.get(column, "confirmed"):
        report.as_recorded.append(claim.name)
    else:
        report.surprising.append(_surprise(claim, ruling, column))


def _surprise(claim: Claim, ruling: Ruling, column: str) -> dict[str, Any]:
    recorded = claim.decided.get(column, f"nothing on {column}")
    told = {"case": claim.name, "title": claim.title, "verdict": ruling.verdict}
    return {**told, "recorded": recorded, "reason": ruling.reason}
