"""Deciding one case: both arms, the judgement, other witnesses, each in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from validators.catalog import Catalog
from validators.catalog.imports import unfit_to_run
from validators.evidence import Record, Reports, digest_of
from validators.evidence.digest import REPORT, hash_of, place_of
from validators.evidence.witnessed import Witnessed
from validators.files import ROOT
from validators.runner.outcome import Broken, Outcome
from validators.runner.plan import Job, Settings
from validators.runner.verdict import Ruling, cross_examine, objection, rule
from validators.runner.witnesses import Examiner
from validators.runner.workers import Task, Workers
from validators.verdicts import ARMS

TIMED_REPEATS = 3
# The contexts of the arms that share a GPU take the rest of its memory.
_GPU_SHARED = 0.9


@dataclass(frozen=True)
class Decision:
    """A record, and the end of the output of what broke ("" where nothing did).

    `seconds` is the wall time of both arms. `cpu_seconds` is the CPU time of one run of both arms,
    the mean over their repeats. `arms_cpu_seconds` and `witnesses_cpu_seconds` are the totals of
    all arms and all witnesses.
    """

    record: Record
    output: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    arms_cpu_seconds: float = 0.0
    witnesses_cpu_seconds: float = 0.0


@dataclass
class _Run:
    """What the arms of all repeats sent back."""

    results: dict[str, Path]
    pairs: list[dict[str, Any]] = field(default_factory=list)
    modules: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    seen: Witnessed = field(default_factory=Witnessed)
    arms_cpu_seconds: float = 0.0
    witnesses_cpu_seconds: float = 0.0

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of one run of both arms."""
        return self.arms_cpu_seconds / max(1, len(self.pairs))


class Decider:
    """Decides jobs in one environment, at most as many tasks at a time as `slots` admits."""

    def __init__(
        self, catalog: Catalog, workers: Workers, settings: Settings, slots: asyncio.Semaphore
    ) -> None:
        self.catalog, self.workers, self.settings, self.slots = catalog, workers, settings, slots
        self._numbers = itertools.count()

    async def decide(self, job: Job) -> Decision:
        """Run the case of `job` and rule on it; whatever happens inside becomes the verdict."""
        if job.unmet:
            return self._unrun(job, Ruling("skipped", job.why_skipped, {}))
        if problems := unfit_to_run(job.case):
            # A record holds no path of the machine that it was made on.
            first = replace(problems[0], path=Path(job.case.proof.name))
            return self._unrun(job, Ruling("error", str(first), {}))
        run = self._new_run(job)
        try:
            for _ in range(self._repeats(job)):
                run.pairs.append(await self._arms(job, run))
            shown = await self._judged(job, run)
            ruling = rule(shown, [pair["remedy"] for pair in run.pairs], job.case.meta.leaves)
            await self._ask_witnesses(job, run)
        except Broken as broken:
            ruling = Ruling("error", broken.reason, {})
            return self._decision(job, run, ruling, broken.outcome.output)
        finally:
            for file in run.results.values():
                file.unlink(missing_ok=True)
        return self._decision(job, run, cross_examine(ruling, run.seen, job.case.meta))

    def _new_run(self, job: Job) -> _Run:
        number = next(self._numbers)
        folder = self.workers.directory
        files: dict[str, Path] = {arm: folder / f"results-{number}-{arm}" for arm in ARMS}
        return _Run(files, seen=job.seen)

    async def _ask_witnesses(self, job: Job, run: _Run) -> None:
        """Ask the witnesses of `job`, and add what they saw to `run.seen`."""

        async def task(arm: str, request: dict[str, Any]) -> Outcome:
            done = await self._task(job, arm, request)
            run.witnesses_cpu_seconds += done.cpu_seconds
            return done

        new = await Examiner(task, run.results).ask(job.witnesses, run.pairs[0])
        run.seen = run.seen.updated(new)

    async def _arms(self, job: Job, run: _Run) -> dict[str, Any]:
        """The reports of both arms, once; exclusive arms take turns."""
        if job.case.meta.exclusive:
            return {arm: await self._arm(job, arm, run) for arm in ARMS}
        reports = await asyncio.gather(
            *(self._arm(job, arm, run) for arm in ARMS), return_exceptions=True
        )
        failures = [report for report in reports if isinstance(report, BaseException)]
        # An error that ends the whole run takes precedence over one that broke an arm.
        for failure in sorted(failures, key=lambda it: isinstance(it, Broken)):
            raise failure
        return dict(zip(ARMS, reports, strict=True))

    async def _arm(self, job: Job, arm: str, run: _Run) -> dict[str, Any]:
        # Only the first repeat saves its results: witnesses compare with them.
        file = run.results[arm] if job.witnesses and not run.pairs else ""
        done = await self._task(job, arm, {"task": "arm", "arm": arm, "results": str(file)})
        run.arms_cpu_seconds += done.cpu_seconds
        if done.failure:
            raise Broken(f"the {arm}: {done.failure}", done)
        run.seconds += done.seconds
        self._note_code(job, run, done)
        report: dict[str, Any] = done.result["report"]
        if reason := objection(arm, report):
            raise Broken(reason, done)
        return report

    def _repeats(self, job: Job) -> int:
        """How often both arms run: a single time says nothing."""
        return max(self.settings.repeat, TIMED_REPEATS if job.case.meta.exclusive else 1)

    def _note_code(self, job: Job, run: _Run, done: Outcome) -> None:
        """Note which code an arm ran; refuse another torch, and code that has changed meanwhile."""
        if done.result["torch"] != job.env.fingerprint.torch:
            raise Broken(f"torch {done.result['torch']} was imported; fix the environment", done)
        for file, sha in done.result["modules"].items():
            if run.modules.setdefault(file, sha) != sha:
                raise Broken(f"{file} changed while the case ran; run it again", done)

    async def _judged(self, job: Job, run: _Run) -> list[dict[str, bool]]:
        done = await self._task(job, "judge", {"task": "judge", "pairs": run.pairs})
        if done.failure:
            raise Broken(f"shows: {done.failure}", done)
        # A file may also change after both arms have loaded it.
        for file, sha in run.modules.items():
            if hash_of(Path(file)) != sha:
                raise Broken(f"{file} changed while the case ran; run it again", done)
        said: list[dict[str, bool]] = done.result["shows"]
        return said

    async def _task(self, job: Job, arm: str, request: dict[str, Any]) -> Outcome:
        meta = job.case.meta
        cap = self.settings.timeout
        task = Task(
            {
                **request,
                "proof": str(job.case.proof.resolve()),
                "device": job.env.device,
                "memory": meta.memory,
                "gpu_share": 1.0 if meta.exclusive else _GPU_SHARED / self.settings.jobs,
                "roots": [str(root) for root in self._roots()],
            },
            timeout=min(meta.timeout, cap) if cap else meta.timeout,
            fresh=meta.always_fresh and arm != "judge",
            variables=meta.env.get(arm, {}),  # type: ignore[call-overload]
        )
        # A judgement takes milliseconds and hardly any memory, so it needs no slot.
        async with contextlib.nullcontext() if arm == "judge" else self.slots:
            return await self.workers.run(task)

    def _roots(self) -> list[Path]:
        # The worker only carries what the probes saw: an edit to it leaves evidence current.
        ours = [ROOT / "validators" / "probes", ROOT / "reference_models"]
        return [*ours, self.catalog.root.resolve()]

    def _unrun(self, job: Job, ruling: Ruling) -> Decision:
        """The decision on a case that did not run."""
        proof = str(job.case.proof.resolve())
        run = _Run({}, modules={proof: hash_of(Path(proof))})
        return self._decision(job, run, ruling)

    def _decision(self, job: Job, run: _Run, ruling: Ruling, output: str = "") -> Decision:
        return Decision(
            self._record(job, run, ruling),
            output,
            run.seconds,
            run.cpu_seconds,
            run.arms_cpu_seconds,
            run.witnesses_cpu_seconds,
        )

    def _record(self, job: Job, run: _Run, ruling: Ruling) -> Record:
        root = self.catalog.root.resolve()
        # The digest covers the parts of `Report` that the proof reads, not the whole module.
        modules = tuple(sorted({place_of(Path(file), root) for file in run.modules} - {REPORT}))
        first = _with_all_times(run.pairs) if run.pairs else {}
        fresh = job.case.meta.always_fresh or self.workers.isolation == "fresh"
        return Record(
            case=job.case.name,
            column=job.env.column,
            verdict=ruling.verdict,
            reason=ruling.reason,
            digest=digest_of(job.case, modules, root),
            modules=modules,
            fingerprint=job.env.fingerprint,
            isolation="fresh" if fresh else "fork",
            repeats=self._repeats(job),
            shows=ruling.shows,
            cpu_seconds=math.ceil(run.cpu_seconds),
            witnesses=run.seen.witnesses,
            differs=run.seen.differs,
            reports=Reports(**first),
        )


def _with_all_times(pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """The reports of the first repeat, with the times of all repeats.

    Compile times are left out: the graphs differ, and nothing reads them.
    """

    def joined(arm: str) -> dict[str, list[float]]:
        names = [name for name in pairs[0][arm]["times"] if name != "compile"]
        return {name: [t for pair in pairs for t in pair[arm]["times"][name]] for name in names}

    return {arm: {**report, "times": joined(arm)} for arm, report in pairs[0].items()}
