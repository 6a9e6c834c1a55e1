"""Deciding one case: both arms, the judgement, other witnesses, each in a process of its own."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from validators.catalog import Case
from validators.catalog.imports import unfit_to_run
from validators.environment import Fingerprint
from validators.environment.fingerprint import COMPILED
from validators.evidence import Record, Reports, digest_of
from validators.evidence.digests.digest import REPORT, judge_of, place_of
from validators.evidence.digests.portable import portable
from validators.evidence.stored.record import LACKS
from validators.evidence.stored.witnessed import Witnessed
from validators.files import ROOT, hash_of
from validators.runner.arms import PRETENDED, Arms, Program, Setting
from validators.runner.missing_api import missing_api, raised_in
from validators.runner.plan import Job, Settings
from validators.runner.processes.outcome import Broken, Outcome
from validators.runner.processes.workers import Workers
from validators.runner.timed import takes_turns
from validators.runner.verdict import Ruling, cross_examine, rule
from validators.runner.without_gpu import without_gpu
from validators.runner.witnesses import Examiner
from validators.verdicts import ARMS, Verdict

TIMED_REPEATS = 3


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


async def _of_broken(job: Job, broken: Broken, arms: Arms) -> Ruling:
    """What an arm that broke is worth: it may ask for what the release or the machine lacks.

    Where only the remedy does, the symptom still counts.
    """
    mark = job.env.fingerprint
    caught = (text for pair in arms.pairs for it in pair.values() for text in raised_in(it))
    if lacked := _lacked(job.case, mark, [broken.outcome.failure, *caught]):
        alone = arms.symptom
        if alone and not _lacked(job.case, mark, raised_in(alone)) and await arms.symptom_shows():
            return Ruling("remedy-failed", f"the remedy {lacked}", {"symptom": True})
        return Ruling("skipped", lacked, {})
    verdict: Verdict = "undecided" if job.env.board and broken.raised else "error"
    return Ruling(verdict, broken.reason, {})


def _ruled(
    case: Case, mark: Fingerprint, shown: Sequence[dict[str, bool | None]], arms: Arms
) -> Ruling:
    """The ruling on what `shows` said of the arms, where torch is that of `mark`."""
    ruling = rule(shown, arms.pairs, case.meta.leaves)
    if ruling.verdict != "remedy-failed":
        return ruling
    raised = [text for pair in arms.pairs for text in raised_in(pair["remedy"])]
    lacked = _lacked(case, mark, raised)
    return replace(ruling, reason=f"the remedy {lacked}") if lacked else ruling


def _lacked(case: Case, mark: Fingerprint, raised: Iterable[str]) -> str:
    """That the release lacks what the proof names, as a predicate; "" if it does not."""
    name = missing_api(raised, case.proof.read_text(encoding="utf-8"))
    return f"needs `{name}`, which torch {mark.torch.partition('+')[0]}{LACKS}" if name else ""


def program_of(case: Case) -> Program:
    """The program of a case, and what its page says that it needs."""
    meta = case.meta
    return Program(
        proof=case.proof,
        env=meta.env,  # type: ignore[arg-type]
        always_fresh=meta.always_fresh,
        exclusive=meta.exclusive,
        takes_turns=takes_turns(case),
        memory=meta.memory,
        timeout=meta.timeout,
    )


@dataclass
class _Run:
    """The arms of a job, the files of their results, and what witnesses saw."""

    arms: Arms
    results: dict[str, Path]
    seen: Witnessed
    witnesses_cpu_seconds: float = 0.0

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of one run of both arms."""
        return self.arms.cpu_seconds / max(1, len(self.arms.pairs))


class Decider:
    """Decides jobs in one environment, at most as many tasks at a time as `slots` admits."""

    def __init__(
        self, catalog: Path, workers: Workers, settings: Settings, slots: asyncio.Semaphore
    ) -> None:
        """`catalog` is the folder that holds the cases of the jobs."""
        self.root, self.workers, self.settings = catalog.resolve(), workers, settings
        # The worker only carries what the probes saw: an edit to it leaves evidence current.
        ours = [ROOT / "validators" / "probes", ROOT / "reference_models"]
        if workers.env.board:
            ours.append(ROOT / "validators" / "pretended")
        roots = [*ours, self.root]
        self._setting = Setting(workers, roots, slots, settings.jobs, settings.timeout)
        self._numbers = itertools.count()

    async def decide(self, job: Job) -> Decision:
        """Run the case of `job` and rule on it; whatever happens inside becomes the verdict."""
        run = self._new_run(job)
        if job.unmet:
            return self._decision(job, run, Ruling("skipped", job.why_skipped, {}))
        if problems := unfit_to_run(job.case):
            # A record holds no path of the machine that it was made on.
            first = replace(problems[0], path=Path(job.case.proof.name))
            return self._decision(job, run, Ruling("error", str(first), {}))
        arms = run.arms
        try:
            # Only the first repeat saves its results: witnesses compare with them.
            await arms.run(run.results if job.witnesses else {}, self._repeats(job))
            shown = await arms.judged()
            ruling = _ruled(job.case, job.env.fingerprint, shown, arms)
            if job.env.board:
                ruling = without_gpu(ruling, arms, job.case)
            await self._ask_witnesses(job, run)
        except Broken as broken:
            ruling = await _of_broken(job, broken, arms)
            return self._decision(job, run, ruling, broken.outcome.output)
        finally:
            for file in run.results.values():
                file.unlink(missing_ok=True)
        return self._decision(job, run, cross_examine(ruling, run.seen, job.case.meta))

    async def judge_again(self, case: Case, record: Record) -> Record:
        """The record with the verdict that today's judge gives on its reports, which stay.

        What other witnesses made of a case whose judge changed is left out, so that the next run
        asks them again: their reports are not kept.

        Raises:
            Broken: the judge broke.
        """
        judge = judge_of(case)
        # What a release lacks, no judge can tell.
        if record.lacks or record.reports.of("symptom") is None:
            return msgspec.structs.replace(record, judge=judge)
        seen = record.witnesses if judge == record.judge else {}
        ruling = await self._ruled_again(case, record)
        ruling = cross_examine(ruling, Witnessed(seen, record.differs), case.meta)
        return msgspec.structs.replace(
            record,
            verdict=ruling.verdict,
            reason=ruling.reason,
            shows=ruling.shows,
            judge=judge,
            witnesses=seen,
        )

    async def _ruled_again(self, case: Case, record: Record) -> Ruling:
        arms = Arms(program_of(case), self._setting)
        reports = {str(arm): record.reports.of(arm) for arm in ARMS}
        arms.pairs = [{arm: report for arm, report in reports.items() if report is not None}]
        compiled = record.fingerprint.device == COMPILED
        shown = await arms.judged(PRETENDED if compiled else "")
        if reports["remedy"] is not None:
            ruling = _ruled(case, record.fingerprint, shown, arms)
            return without_gpu(ruling, arms, case) if compiled else ruling
        if shown[0]["symptom"]:
            return Ruling("remedy-failed", record.reason, {"symptom": True})
        return Ruling("skipped", record.reason.removeprefix("the remedy "), {})

    def _new_run(self, job: Job) -> _Run:
        number = next(self._numbers)
        folder = self.workers.directory
        files: dict[str, Path] = {arm: folder / f"results-{number}-{arm}" for arm in ARMS}
        arms = Arms(program_of(job.case), self._setting)
        # A proof that nothing could run decides what it decides until it changes.
        arms.modules[str(job.case.proof.resolve())] = hash_of(job.case.proof)
        return _Run(arms, files, job.seen)

    async def _ask_witnesses(self, job: Job, run: _Run) -> None:
        """Ask the witnesses of `job`, and add what they saw to `run.seen`."""

        async def task(arm: str, request: dict[str, Any]) -> Outcome:
            done = await run.arms.ask(arm, request)
            run.witnesses_cpu_seconds += done.cpu_seconds
            return done

        new = await Examiner(task, run.results).ask(job.witnesses, run.arms.pairs[0])
        run.seen = run.seen.updated(new)

    def _repeats(self, job: Job) -> int:
        """How often both arms run: a single time says nothing."""
        return max(self.settings.repeat, TIMED_REPEATS if job.case.meta.exclusive else 1)

    def _decision(self, job: Job, run: _Run, ruling: Ruling, output: str = "") -> Decision:
        return Decision(
            self._record(job, run, ruling),
            output,
            run.arms.seconds,
            run.cpu_seconds,
            run.arms.cpu_seconds,
            run.witnesses_cpu_seconds,
        )

    def _record(self, job: Job, run: _Run, ruling: Ruling) -> Record:
        root, pairs = self.root, run.arms.pairs
        # The digest covers the parts of `Report` that the proof reads, not the whole module.
        places = {place_of(Path(file), root) for file in run.arms.modules}
        modules = tuple(sorted(places - {REPORT}))
        # What an arm saw before it asked for a GPU decides nothing.
        pretended = job.env.board and ruling.verdict == "undecided"
        first = _with_all_times(pairs) if pairs and not pretended else {}
        if not pairs and ruling.verdict == "remedy-failed" and run.arms.symptom:
            first = {"symptom": run.arms.symptom}
        fresh = job.case.meta.always_fresh or self.workers.isolation == "fresh"
        return Record(
            case=job.case.name,
            column=job.env.column,
            verdict=ruling.verdict,
            reason=ruling.reason,
            digest=digest_of(job.case, modules, root),
            judge=judge_of(job.case),
            modules=modules,
            fingerprint=job.env.fingerprint,
            isolation="fresh" if fresh else "fork",
            repeats=self._repeats(job),
            shows=ruling.shows,
            cpu_seconds=math.ceil(run.cpu_seconds),
            witnesses=run.seen.witnesses,
            differs=run.seen.differs,
            reports=Reports(**portable(first)),
        )


def _with_all_times(pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """The reports of the first repeat, with the times of all repeats.

    Compile times are left out: the graphs differ, and nothing reads them.
    """

    def joined(arm: str) -> dict[str, list[float]]:
        names = [name for name in pairs[0][arm]["times"] if name != "compile"]
        return {name: [t for pair in pairs for t in pair[arm]["times"][name]] for name in names}

    return {arm: {**report, "times": joined(arm)} for arm, report in pairs[0].items()}
