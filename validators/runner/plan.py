"""What has to run: cases by environments, without what is current, most useful first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Literal

from validators.catalog import Case, Catalog
from validators.catalog.frontmatter import SEVERITIES
from validators.environment import Environment
from validators.environment.fingerprint import COMPILED, Fingerprint
from validators.environment.lacking import lacking
from validators.errors import CasebookError
from validators.evidence import Evidence, Freshness, Record, overlaid
from validators.evidence.status import applies
from validators.evidence.stored.witnessed import TRAINING, Witnessed
from validators.runner.timed import takes_turns
from validators.runner.witnesses import ALL, USUAL
from validators.verdicts import DECIDED

_Worth = tuple[bool, bool, bool, int, bool, int, int]


@dataclass(frozen=True)
class Settings:
    """What the user asked of a run; `timeout` caps every case's own, `budget` is in seconds.

    `stale` leaves out what has current evidence from any machine, and `force` runs all cases.
    `shard` is a part of all cases and the number of parts, (1, 3) for the first of three.
    """

    only: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    shard: tuple[int, int] = (1, 1)
    jobs: int = 1
    repeat: int = 1
    timeout: float | None = None
    budget: float | None = None
    isolation: str = "fork"
    force: bool = False
    stale: bool = False
    witnesses: Literal["new", "training", "all", "none"] = "new"


@dataclass(frozen=True)
class Job:
    """One case to decide in one environment; `unmet` names a need that the environment lacks.

    `witnesses` are still to be asked; `seen` is what others saw earlier of the same program.
    """

    case: Case
    env: Environment
    unmet: str = ""
    witnesses: tuple[str, ...] = ()
    seen: Witnessed = field(default_factory=Witnessed)

    @property
    def why_skipped(self) -> str:
        """The reason in a record of a job that is skipped; "" where it can run."""
        return f"needs {self.unmet}" if self.unmet else ""

    @property
    def key(self) -> tuple[str, str]:
        """The key of its record in the evidence."""
        return self.case.name, self.env.column


@dataclass(frozen=True)
class Plan:
    """The jobs to run, in order, and the records that are current."""

    jobs: tuple[Job, ...]
    current: tuple[Record, ...]


def make_plan(
    catalog: Catalog,
    environments: Iterable[Environment],
    known: Evidence,
    committed: Evidence,
    settings: Settings,
    first_on_gpu: Sequence[str] = (),
) -> Plan:
    """Plan a run; `known` is the evidence of this machine, `committed` that of the repository.

    Only records of this machine make a run unnecessary, unless the settings ask for what is stale.
    On a GPU the cases of `first_on_gpu` come first, in that order.

    Raises:
        CasebookError: a name or pattern matches no case, or no case has a meaning on the device.
    """
    jobs, current = [], []
    cases = sharded(_selected(catalog, settings), *settings.shard)
    freshness = Freshness(catalog.root)
    all_evidence = overlaid(committed, known, catalog.by_name, freshness)
    for env in environments:
        for case in cases:
            if env.device != "cpu" and not applies(case, env.column):
                continue
            seen = _seen(case, env, (known, committed), freshness)
            job = Job(case, env, unmet(case, env), _witnesses(env, seen, settings), seen)
            record = (all_evidence if settings.stale else known).get(job.key)
            if record and not settings.force and _still_good(job, record, freshness, settings):
                current.append(record)
            else:
                jobs.append(job)
    if not jobs and not current and settings.shard == (1, 1):
        raise CasebookError("--device: no selected case has a meaning there; use --device cpu")
    jobs.sort(key=_worth(all_evidence, first_on_gpu))
    return Plan(tuple(jobs), tuple(current))


def _worth(evidence: Evidence, first_on_gpu: Sequence[str]) -> Callable[[Job], _Worth]:
    """The key that sorts jobs into the order in which they run.

    The first difference decides:
    - cases without evidence in their column come before those whose evidence is stale there;
    - cases that run beside others come before those that measure time, which take many times as
      long, and of these, cases that take turns come before those that run alone;
    - on a GPU, the cases to be decided there first come before all others;
    - cases that no column has decided come before those that another column has;
    - on a GPU, cases that took less time on some GPU come before those that took more; where none
      decided a case, what it took to compile for a GPU counts;
    - severe cases come before mild ones.
    """
    decided = {case for (case, _), record in evidence.items() if record.verdict in DECIDED}
    rank = {case: index for index, case in enumerate(first_on_gpu)}
    seconds = {
        case: record.cpu_seconds
        for device in (COMPILED, "cuda")
        for (case, _), record in evidence.items()
        if record.fingerprint.device == device
    }

    def worth(job: Job) -> _Worth:
        name, meta = job.case.name, job.case.meta
        return (
            job.key in evidence,
            meta.exclusive,
            meta.exclusive and not takes_turns(job.case),
            rank.get(name, len(rank)) if job.env.gpu else 0,
            name in decided,
            seconds.get(name, 0) if job.env.gpu else 0,
            SEVERITIES.index(meta.severity),
        )

    return worth


def _selected(catalog: Catalog, settings: Settings) -> list[Case]:
    patterns = [
        pattern
        if any(fnmatch(case.name, pattern) for case in catalog.cases)
        else catalog.find(pattern).name
        for pattern in settings.only
    ]
    for refusal in filter(None, map(catalog.casebook.refusal, settings.areas)):
        raise CasebookError(f"--area: {refusal}")
    cases = [
        case
        for case in catalog.cases
        if not case.retired
        and (not patterns or any(fnmatch(case.name, p) for p in patterns))
        and (not settings.areas or case.area in settings.areas)
    ]
    if not cases:
        raise CasebookError(f"{catalog.root}: no case is left to run; widen --only or --area")
    return cases


def _seen(
    case: Case, env: Environment, records: Iterable[Evidence], freshness: Freshness
) -> Witnessed:
    """What witnesses saw of the current program in this column, under this release of Python."""
    for evidence in records:
        record = evidence.get((case.name, env.column))
        if not record or not record.witnesses or not freshness.is_current(case, record):
            continue
        if _language(record.fingerprint) == _language(env.fingerprint):
            return Witnessed(record.witnesses, record.differs)
    return Witnessed()


def _language(mark: Fingerprint) -> list[str]:
    """The release of Python, without its patch: Dynamo traces the bytecode of each differently."""
    return mark.python.split(".")[:2]


def _witnesses(env: Environment, seen: Witnessed, settings: Settings) -> tuple[str, ...]:
    """The witnesses to ask: all of them, none, or the usual ones if none was asked before.

    They compare values, which a GPU that is not there lacks.
    """
    if env.board:
        return ()
    if settings.witnesses == "all":
        return ALL
    usual = () if settings.witnesses == "none" or seen.witnesses else USUAL
    return (*usual, TRAINING) if settings.witnesses == "training" else usual


def sharded(cases: list[Case], part: int, parts: int) -> list[Case]:
    """The cases of one part of `parts`; a case stays in its part when others come and go."""
    return [case for case in cases if in_part(case.name, part, parts)]


def in_part(name: str, part: int, parts: int) -> bool:
    """Whether a name is in one part of `parts`."""
    return _number_of(name) % parts == part - 1


def _number_of(text: str) -> int:
    """A number that every machine draws alike for a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def unmet(case: Case, env: Environment) -> str:
    """What the case needs and `env` lacks, in words; "" if it lacks nothing."""
    return lacking(case.meta, env) if applies(case, env.column) else "a CUDA device"


def _why_skipped(record: Record) -> str:
    return record.reason if record.verdict == "skipped" else ""


def _still_good(job: Job, record: Record, freshness: Freshness, settings: Settings) -> bool:
    return (
        (settings.stale or record.fingerprint == job.env.fingerprint)
        and (settings.isolation == "fork" or record.isolation == "fresh")
        and record.repeats >= settings.repeat
        and record.verdict != "error"
        and (record.lacks or _why_skipped(record) == job.why_skipped)
        and freshness.is_current(job.case, record)
    )
