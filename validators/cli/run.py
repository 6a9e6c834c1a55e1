"""`run-all` and `run`."""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from validators.catalog import Catalog, load_catalog
from validators.catalog.casebook import default_catalog
from validators.catalog.gpu_order import load_gpu_order
from validators.cli.display import display, totals_line
from validators.cli.junit import write_junit
from validators.cli.output import (
    EnvironmentOutput,
    ProblemOutput,
    ResultOutput,
    RunOutput,
    print_json,
)
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.surprises import print_surprises
from validators.environment import Environment, describe
from validators.errors import CasebookError, Problem
from validators.evidence import Evidence, Record, load_evidence, merge
from validators.runner.plan import Plan, Settings, make_plan
from validators.runner.run import Decided, run_plan
from validators.runner.surprise import agreement, cpu_verdicts

_GPU_MEMORY_PER_ARM = 8 * 1024
"""MiB. Weights, gradients and Adam's state of the largest reference model are 2.1 GiB of it."""


def _shard(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise CasebookError(f"--shard: {value!r} is not K/N with K from 1 to N; write 2/5, say")
    return int(found[1]), int(found[2])


_OPTIONS = (
    click.option(
        "--python",
        "pythons",
        multiple=True,
        metavar="P",
        default=[sys.executable],
        show_default="this one",
        help="An interpreter that has torch; repeatable. It needs nothing of ours.",
    ),
    click.option(
        "--device",
        type=click.Choice(["cpu", "cuda", "auto"]),
        default="auto",
        show_default=True,
        help="Where the arms run; auto takes a GPU that torch was built for, else the CPU.",
    ),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(1),
        show_default="a core each, at most 8; on a GPU also 8 GiB of its memory each",
        help="Arms that run at a time.",
    ),
    click.option(
        "--timeout", type=click.FloatRange(0, min_open=True), help="Seconds per arm, at most."
    ),
    click.option(
        "--repeat", type=click.IntRange(1), default=1, show_default=True, help="Runs of each arm."
    ),
    click.option(
        "--isolation",
        type=click.Choice(["fork", "fresh"]),
        default="fork",
        show_default=True,
        help="Fork each arm from a process that has torch, or start a new interpreter.",
    ),
    click.option("--record", is_flag=True, help="Merge what was decided into playbooks/evidence."),
    click.option(
        "--junitxml", type=click.Path(path_type=Path, dir_okay=False), help="Write JUnit XML."
    ),
    catalog_option,
    json_option,
)


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("run-all")
@click.option("--only", multiple=True, metavar="GLOB", help="Cases whose name fits; repeatable.")
@click.option("--area", "areas", multiple=True, metavar="AREA", help="Repeatable.")
@click.option(
    "--shard",
    default="1/1",
    callback=_shard,
    metavar="K/N",
    help="Every Nth of the selected cases, from the Kth on.",
)
@click.option("--stale", is_flag=True, help="Only what has evidence that is out of date.")
@click.option(
    "--budget",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="Stop after S seconds; the next run goes on from there.",
)
@click.option("--force", is_flag=True, help="Run also what is current.")
@_run_options
def run_all_command(**options: Any) -> int:
    """Decide every claim that has no current evidence on this machine."""
    return _run(**options)


@click.command("run")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_run_options
def run_command(names: tuple[str, ...], **options: Any) -> int:
    """Decide the named cases, whether or not their evidence is current."""
    return _run(only=names, force=True, **options)


def _run(
    places: Places,
    pythons: tuple[str, ...],
    device: str,
    record: bool,
    junitxml: Path | None,
    as_json: bool,
    jobs: int | None,
    **asked: Any,
) -> int:
    damaged: list[Problem] = []
    committed = load_evidence(places.committed, damaged=damaged)
    if record and damaged:
        raise CasebookError(str(damaged[0]))
    lost: list[Problem] = []
    known = load_evidence(places.local, damaged=lost, whole=record)
    catalog = load_catalog(places.catalog)
    order, defects = load_gpu_order(places.catalog.parent)
    catalog = dataclasses.replace(catalog, problems=(*catalog.problems, *damaged, *defects))
    # What this machine recorded and cannot be read is no defect of the content: it runs again.
    for problem in (*catalog.problems, *lost):
        click.echo(f"Error: {problem}", err=True)
    environments = _environments(pythons, device)
    settings = Settings(jobs=jobs or default_jobs(environments), **asked)
    plan = make_plan(catalog, environments, known, committed, settings, order.names)
    if junitxml:
        junitxml.parent.mkdir(parents=True, exist_ok=True)
        junitxml.touch()
    with display(len(plan.jobs), sys.stdout, quiet=as_json) as listener:
        decided = run_plan(catalog, plan, settings, places.local, listener)
    output = _output(catalog, plan, decided, committed, environments)
    if any(env.device == "cuda" for env in environments):
        _compare_with_cpu(output.results, {**committed, **known})
    if record:
        output.recorded = _record(places, plan, decided)
    if junitxml:
        write_junit(junitxml, output.results)
    if as_json:
        print_json(output)
    else:
        _summarize(output)
    return output.exit_status


def _environments(pythons: tuple[str, ...], device: str) -> list[Environment]:
    """The environments asked for.

    Raises:
        CasebookError: two interpreters would write the same column.
    """
    environments = [describe(python, device) for python in dict.fromkeys(pythons)]
    columns = Counter(env.column for env in environments)
    column, count = columns.most_common(1)[0]
    if count > 1:
        raise CasebookError(
            f"--python: {count} interpreters belong to the column {column}; name one of them"
        )
    return environments


def default_jobs(environments: list[Environment]) -> int:
    """How many arms run at a time where nobody says: each has a core, and memory on the GPU."""
    jobs = min(os.cpu_count() or 1, 8)
    for env in environments:
        if env.gpu_memory:
            jobs = min(jobs, max(1, env.gpu_memory // _GPU_MEMORY_PER_ARM))
    return jobs


def _record(places: Places, plan: Plan, decided: list[Decided]) -> list[str]:
    """Merge records that say something into the committed evidence; returns what changed."""
    records = [*plan.current, *(event.decision.record for event in decided)]
    worth = [record for record in records if record.verdict != "error"]
    changed = merge(places.committed, worth)
    return [f"{record.case} {record.column}" for record in changed]


def _output(
    catalog: Catalog,
    plan: Plan,
    decided: list[Decided],
    committed: Evidence,
    environments: list[Environment],
) -> RunOutput:
    results = [_result(catalog, record, committed) for record in plan.current]
    results += [_result(catalog, e.decision.record, committed, ended=e) for e in decided]
    states = {result.agreement for result in results}
    status = 3 if "broke" in states else 2 if catalog.problems else int("disagrees" in states)
    return RunOutput(
        environments=[EnvironmentOutput.of(env) for env in environments],
        results=sorted(results, key=lambda result: (result.case, result.column)),
        totals=dict(Counter(result.verdict for result in results)),
        not_reached=len(plan.jobs) - len(decided),
        recorded=[],
        problems=[ProblemOutput.of(problem) for problem in catalog.problems],
        exit_status=status,
    )


def _result(
    catalog: Catalog, record: Record, committed: Evidence, ended: Decided | None = None
) -> ResultOutput:
    """A record as output; `ended` where it was decided just now."""
    state, difference = agreement(catalog.by_name[record.case], record, committed)
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
        output=ended.decision.output if ended and broke else "",
        command=_command(catalog, ended) if ended and broke else "",
    )


def _compare_with_cpu(results: list[ResultOutput], evidence: Evidence) -> None:
    """Note beside each verdict from a GPU what the CPU's columns say."""
    verdicts = cpu_verdicts(evidence)
    for result in results:
        if not result.column.endswith("-cpu"):
            result.on_cpu = verdicts.get(result.case, {})


def _command(catalog: Catalog, event: Decided) -> str:
    """How to run one case again, alone."""
    env = event.job.env
    words = ["python", "-m", "validators", "run", event.job.case.name, "--isolation", "fresh"]
    words += ["--python", env.python, "--device", env.device]
    if catalog.root != default_catalog():
        words += ["--catalog", str(catalog.root)]
    return shlex.join(words)


def _summarize(output: RunOutput) -> None:
    for result in output.results:
        if result.agreement == "broke":
            _explain_error(result)
    print_surprises(output)
    current = sum(result.current for result in output.results)
    columns = ", ".join(env.column for env in output.environments)
    click.echo(
        f"{len(output.results)} cases on {columns}: {totals_line(output.totals).plain.strip()}"
    )
    if current:
        click.echo(f"{current} were current and did not run; --force runs them.")
    if output.not_reached:
        click.echo(f"{output.not_reached} were not reached within the budget; run again to go on.")
    for line in output.recorded:
        click.echo(f"recorded {line}")


def _explain_error(result: ResultOutput) -> None:
    click.echo(f"\n{result.case} ({result.column}) broke: {result.reason}", err=True)
    for line in result.output.rstrip().splitlines()[-15:]:
        click.echo(f"    {line}", err=True)
    click.echo(f"  run it again: {result.command}\n", err=True)
