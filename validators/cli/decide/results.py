"""What a run prints: its plan and its decisions as one output."""

from __future__ import annotations

import shlex
from collections import Counter

from validators.catalog import Catalog
from validators.catalog.casebook import default_catalog
from validators.cli.output import (
    CpuOutput,
    EnvironmentOutput,
    ProblemOutput,
    ResultOutput,
    RunOutput,
)
from validators.environment import Environment
from validators.environment.column_name import by_release
from validators.evidence import Evidence, Record
from validators.files import PROGRAM
from validators.runner.plan import Plan
from validators.runner.run import Decided
from validators.runner.surprise import agreement, cpu_verdicts


def output_of(
    catalog: Catalog,
    plan: Plan,
    decided: list[Decided],
    committed: Evidence,
    environments: list[Environment],
    cpu_seconds: float,
    tolerance: float | None,
) -> RunOutput:
    """The output of a run that took `cpu_seconds` in all.

    With a `tolerance`, a case that cost more than this many times its budget fails the run.
    """
    results = [_result(catalog, record, committed) for record in plan.current]
    results += [_result(catalog, e.decision.record, committed, ended=e) for e in decided]
    states = {result.agreement for result in results}
    failed = "disagrees" in states or (tolerance and over_budget(results, tolerance))
    status = 3 if "broke" in states else 2 if catalog.problems else int(bool(failed))
    return RunOutput(
        environments=[EnvironmentOutput.of(env) for env in environments],
        results=sorted(results, key=lambda it: (it.case, by_release(it.column))),
        totals=dict(Counter(result.verdict for result in results)),
        not_reached=len(plan.jobs) - len(decided),
        recorded=[],
        problems=[ProblemOutput.of(problem) for problem in catalog.problems],
        cpu=CpuOutput(
            total=round(cpu_seconds, 3),
            arms=round(sum(e.decision.arms_cpu_seconds for e in decided), 3),
            witnesses=round(sum(e.decision.witnesses_cpu_seconds for e in decided), 3),
        ),
        exit_status=status,
    )


def over_budget(results: list[ResultOutput], tolerance: float = 1.0) -> list[ResultOutput]:
    """The cases whose arms took more than `tolerance` times their CPU seconds, the worst first.

    A GPU's columns have no budget: starting CUDA alone takes seconds of the CPU.
    """
    over = [
        result
        for result in results
        if result.column.endswith("-cpu")
        and (result.cpu_seconds or 0.0) > tolerance * result.cpu_budget
    ]
    return sorted(over, key=lambda result: -(result.cpu_seconds or 0.0) / result.cpu_budget)


def _result(
    catalog: Catalog, record: Record, committed: Evidence, ended: Decided | None = None
) -> ResultOutput:
    """A record as output; `ended` is given if it was decided just now."""
    case = catalog.by_name[record.case]
    state, difference = agreement(case, record, committed)
    broke = ended is not None and state == "broke"
    return ResultOutput(
        case=record.case,
        column=record.column,
        verdict=record.verdict,
        reason=record.reason,
        agreement=state,
        difference=difference,
        current=ended is None,
        seconds=round(ended.decision.seconds, 3) if ended else 0.0,
        cpu_seconds=round(ended.decision.cpu_seconds, 3) if ended else None,
        cpu_budget=case.meta.cpu_budget,
        output=ended.decision.output if ended and broke else "",
        command=_command(catalog, ended) if ended and broke else "",
    )


def compare_with_cpu(results: list[ResultOutput], evidence: Evidence) -> None:
    """Add the verdicts of the CPU's columns to each verdict from a GPU."""
    verdicts = cpu_verdicts(evidence)
    for result in results:
        if not result.column.endswith("-cpu"):
            result.on_cpu = verdicts.get(result.case, {})


def _command(catalog: Catalog, event: Decided) -> str:
    """The command that runs one case again, alone."""
    env = event.job.env
    words = ["run", event.job.case.name, "--isolation", "fresh"]
    words += ["--python", env.python, "--device", env.board or env.device]
    if catalog.root != default_catalog():
        words += ["--catalog", str(catalog.root)]
    return f"{PROGRAM} {shlex.join(words)}"
