"""Other witnesses of a case: its arms run again, audited, uncompiled or on another backend."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.evidence.stored.witnessed import TRAINING, Witnessed
from validators.probes.audit import audit_agrees
from validators.probes.modes import AUDIT, UNCOMPILED
from validators.runner.processes.outcome import Broken, Outcome
from validators.runner.verdict import by_predicate
from validators.verdicts import ARMS

USUAL = (AUDIT, UNCOMPILED, "aot_eager")
"""The witnesses that are asked about a case when its digest changes."""
ALL = (*USUAL, "inductor", TRAINING)

RunTask = Callable[[str, dict[str, Any]], Awaitable[Outcome]]
"""Runs one task of the case at hand, given the arm's name and the request."""


@dataclass(frozen=True)
class Examiner:
    """Asks witnesses about one case.

    `results` names for each arm the file that holds the results of its compiled run.
    """

    run: RunTask
    results: Mapping[str, Path]

    async def ask(self, names: Sequence[str], reports: Mapping[str, Any]) -> Witnessed:
        """What the witnesses in `names` saw of the arms that gave `reports`.

        Raises:
            Broken: the audit failed, or met other graph breaks than a report holds.
        """
        seen = Witnessed()
        for name in names:
            if name == AUDIT:
                await self._audit(reports, seen)
            elif name == UNCOMPILED:
                await self._uncompiled(seen)
            elif name == TRAINING:
                await self._training(seen)
            else:
                await self._backend(name, seen)
        return seen

    async def _audit(self, reports: Mapping[str, Any], seen: Witnessed) -> None:
        called = [arm for arm in ARMS if reports[arm]["calls"]]
        for arm, done in (await self._arms(AUDIT, called)).items():
            if done.failure:
                raise Broken(f"the audit of the {arm}: {done.failure}", done)
            if disagreement := audit_agrees(reports[arm], done.result["audits"]):
                raise Broken(f"the witnesses of the {arm} disagree: {disagreement}", done)
        seen.witnesses[AUDIT] = "agrees"

    async def _uncompiled(self, seen: Witnessed) -> None:
        done = await self._arms(UNCOMPILED)
        seen.witnesses[UNCOMPILED] = await self._verdict(done)
        for arm, outcome in done.items():
            difference = "" if outcome.failure else outcome.result["compared"]["difference"]
            if difference:
                seen.differs[arm] = difference

    async def _training(self, seen: Witnessed) -> None:
        """Ask nothing where the arms cannot train uncompiled, such as those that ran backward."""
        eager = await self._arms(UNCOMPILED, trains=True)
        if all(map(_trains, eager.values())):
            seen.witnesses[TRAINING] = await self._verdict(await self._arms("", trains=True))

    async def _backend(self, name: str, seen: Witnessed) -> None:
        done = await self._arms(name)
        if any(it.failure or it.result["substituted"] for it in done.values()):
            seen.witnesses[name] = await self._verdict(done)

    async def _verdict(self, done: Mapping[str, Outcome]) -> str:
        """The verdict on another run of the arms; "error" where one of them broke."""
        if any(outcome.failure for outcome in done.values()):
            return "error"
        pair = {arm: outcome.result["report"] for arm, outcome in done.items()}
        judged = await self.run("judge", {"task": "judge", "pairs": [pair]})
        if judged.failure:
            return "error"
        return by_predicate(judged.result["shows"][0])

    async def _arms(
        self, mode: str, arms: Sequence[str] = ARMS, trains: bool = False
    ) -> dict[str, Outcome]:
        def request(arm: str) -> dict[str, Any]:
            return {
                "task": "witness",
                "arm": arm,
                "mode": mode,
                "trains": trains,
                "results": str(self.results[arm]) if mode == UNCOMPILED else "",
            }

        done = await asyncio.gather(*(self.run(arm, request(arm)) for arm in arms))
        return dict(zip(arms, done, strict=True))


def _trains(done: Outcome) -> bool:
    """Whether an arm's calls ended well and ran backward."""
    return (
        not done.failure
        and not done.result["report"]["exception"]
        and bool(done.result["backwards"])
    )
