"""What `--json` prints, where no other room makes it; `validators.schemas` lists all of it."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from msgspec import Struct

from validators.bisect import Change
from validators.catalog import Case, FrontMatter
from validators.corpus.summary import Open, Row
from validators.environment import Environment, Fingerprint
from validators.environment.column_pattern import ColumnName
from validators.errors import Problem, printable
from validators.evidence import Record
from validators.evidence.coverage import Coverage
from validators.evidence.stored.record import FIELDS, CaseName, Isolation, ReportData
from validators.match.making.scores import Scores
from validators.plain.judge import PlainFinding
from validators.runner.surprise import Agreement
from validators.verdicts import Verdict


class EnvironmentOutput(Struct, kw_only=True):
    """One interpreter of a run."""

    column: str
    python: str
    fingerprint: Fingerprint

    @classmethod
    def of(cls, env: Environment) -> EnvironmentOutput:
        """The environment as output."""
        return cls(column=env.column, python=env.python, fingerprint=env.fingerprint)


class ProblemOutput(Struct, kw_only=True):
    """One defect of the content; line 0 stands for the whole file."""

    path: str
    line: int
    message: str

    @classmethod
    def of(cls, problem: Problem) -> ProblemOutput:
        """The problem as output."""
        path, message = printable(str(problem.path)), printable(problem.message)
        return cls(path=path, line=problem.line, message=message)


class ResultOutput(Struct, kw_only=True):
    """One verdict of a run; `current` says that it was known already and nothing ran.

    For a verdict on a GPU, `on_cpu` holds the verdicts of the CPU's columns. If an arm broke,
    `output` is the end of what it printed and `command` runs it again.

    `cpu_seconds` is the mean CPU time of one run of both arms, null if nobody measured it.
    `cpu_budget` is what that run may take on an idle core, in a CPU's column.
    """

    case: str
    column: str
    verdict: Verdict
    reason: str
    agreement: Agreement
    difference: str
    current: bool
    seconds: float
    cpu_seconds: float | None = None
    cpu_budget: int
    on_cpu: dict[str, str] = {}
    output: str = ""
    command: str = ""


class CpuOutput(Struct, kw_only=True):
    """The CPU seconds of a run: all of them, and those of the arms and of other witnesses."""

    total: float
    arms: float
    witnesses: float


class RunOutput(Struct, kw_only=True):
    """`run-all --json` and `run --json`.

    `not_reached` counts the jobs left when the budget was spent.
    """

    environments: list[EnvironmentOutput]
    results: list[ResultOutput]
    totals: dict[str, int]
    not_reached: int
    recorded: list[str]
    problems: list[ProblemOutput]
    cpu: CpuOutput
    exit_status: int


class CaseOutput(Struct, kw_only=True):
    """One case, with its verdict in each column ("stale" appended where evidence is stale)."""

    name: str
    area: str
    title: str
    retired: str
    meta: FrontMatter
    verdicts: dict[str, str]

    @classmethod
    def of(cls, case: Case, verdicts: dict[str, str]) -> CaseOutput:
        """The case as output."""
        return cls(
            name=case.name,
            area=case.area,
            title=case.title,
            retired=case.retired,
            meta=case.meta,
            verdicts=verdicts,
        )


class RecordOutput(Struct, kw_only=True):
    """One record of evidence, with the reports of its arms as probes made them.

    `reason` says in one sentence why a case is skipped, unstable or in error, or what trouble a
    refuted symptom met. `shows` holds what the predicate said of each arm. `modules` are the places
    of the modules that the arms loaded; `digest` covers what they do, and what the case needs;
    `judge` covers what judged the reports. `cpu_seconds` is what both arms cost, 0 if nobody
    measured it. `witnesses` holds the verdicts of other witnesses. `differs` says how an arm's
    results differ from those of its uncompiled run. `carried` says that the probes have changed
    since, and no report on a CPU has.
    """

    case: CaseName
    column: ColumnName
    verdict: Verdict
    reason: str
    digest: str
    judge: str
    modules: tuple[str, ...]
    fingerprint: Fingerprint
    isolation: Isolation
    repeats: int
    shows: dict[str, bool]
    cpu_seconds: int
    witnesses: dict[str, str]
    differs: dict[str, str]
    carried: bool
    symptom: ReportData | None
    remedy: ReportData | None

    @classmethod
    def of(cls, record: Record) -> RecordOutput:
        """The record as output."""
        fields = {name: getattr(record, name) for name in FIELDS}
        return cls(**fields, symptom=record.symptom, remedy=record.remedy)


class ListOutput(Struct, kw_only=True):
    """`list --json`."""

    cases: list[CaseOutput]
    problems: list[ProblemOutput]


class ShowOutput(Struct, kw_only=True):
    """`show --json`: the case, its page, its proof and its records."""

    case: CaseOutput
    page: str
    proof: str
    records: list[RecordOutput]


class StatusOutput(Struct, kw_only=True):
    """`status --json`."""

    columns: list[str]
    cases: list[CaseOutput]
    cuda: Coverage


class CheckOutput(Struct, kw_only=True):
    """`check --json`: what was read, and what is wrong; the scores of the search if asked for."""

    checked: dict[str, int]
    problems: list[ProblemOutput]
    fixed: list[str]
    scores: Scores | None = None


class NewOutput(Struct, kw_only=True):
    """`new --json`: the files that were written."""

    written: list[str]


class ModelOutput(Struct, kw_only=True):
    """One model of `models --json`.

    `row` is null if the model did not run: `left_out` says which package is missing, `failure` how
    it broke. `differs` says how the run differs from the record; `stale` why the record is out of
    date.
    """

    model: str
    row: Row | None = None
    left_out: str = ""
    failure: str = ""
    stale: str = ""
    differs: list[str] = []


class ModelsOutput(Struct, kw_only=True):
    """`models --json`: a row per model, and the findings that nothing explains.

    `labelled` counts the "explained" and "suspected" cases that are right by labels, and all such.
    """

    models: list[ModelOutput]
    open: list[Open]
    labelled: dict[str, tuple[int, int]] = {}


class ProgramOutput(Struct, kw_only=True):
    """A plain program in a column, of `plain --json`.

    `undecided` names the modes of which nothing is recorded. `differs` says how the run differs
    from the record; `stale` why there is no such comparison.
    """

    program: str
    column: str = ""
    findings: list[PlainFinding] = []
    undecided: list[str] = []
    stale: str = ""
    differs: list[str] = []


class PlainOutput(Struct, kw_only=True):
    """`plain --json`: what each program shows, and the cases that explain it."""

    programs: list[ProgramOutput]


class SilentErrorOutput(Struct, kw_only=True):
    """A silent error in a column, of `silent --json`.

    `verdict`, `says`, `backend` and `instead` are as recorded, `cost` is that of the workaround;
    `differs` says why this is not what the record says, or that the record is out of date.
    """

    name: str
    column: str = ""
    verdict: str = ""
    says: str = ""
    backend: str = ""
    instead: str = ""
    cost: str = ""
    differs: str = ""


class SilentOutput(Struct, kw_only=True):
    """`silent --json`: what each program computes compiled."""

    errors: list[SilentErrorOutput]


class GradeOutput(Struct, kw_only=True):
    """`eval --grade --json`: why a changed copy fails (nothing if it passes), and what improved."""

    task: str
    passed: bool
    reasons: list[str]
    better: list[str]


class BisectOutput(Struct, kw_only=True):
    """Where verdicts change, and the cases that each release would still be asked for."""

    changes: list[Change]
    to_ask: dict[str, list[str]]


def json_text(value: Any) -> str:
    """One output as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def print_json(value: Any) -> None:
    """Print one output as indented JSON on stdout."""
    click.echo(json_text(value))
