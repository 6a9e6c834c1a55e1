"""`run-all` and `run`."""

from __future__ import annotations

import dataclasses
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from validators.catalog import Catalog, load_catalog
from validators.catalog.gpu_order import load_gpu_order
from validators.cli.completion import case_names
from validators.cli.decide.display import display
from validators.cli.decide.junit import write_junit
from validators.cli.decide.results import compare_with_cpu, output_of
from validators.cli.decide.saw import saw, where
from validators.cli.decide.summary import summarize
from validators.cli.output import print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.ranges import FiniteRange
from validators.cluster.engine import ENGINES, Engine, opened
from validators.environment import Environment
from validators.environment.any_device import DEVICES
from validators.environment.gpu import arms_at_once
from validators.errors import CasebookError, Problem
from validators.evidence import Evidence, load_evidence, merge
from validators.runner.estimate import TimeLeft
from validators.runner.plan import Plan, Settings, make_plan
from validators.runner.run import Decided


def _shard(_context: click.Context, _param: click.Parameter, value: str) -> tuple[int, int]:
    """A part and the number of parts, such as 1/3."""
    found = re.fullmatch(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})", value)
    if not found or int(found[1]) > int(found[2]):
        message = f"{value!r} is not a part of parts; write 2/3 for the second of three"
        raise click.BadParameter(message)
    return int(found[1]), int(found[2])


shard_option = click.option(
    "--shard",
    callback=_shard,
    default="1/1",
    metavar="I/N",
    help="Only part I of N parts of the cases, for several machines.",
)
_OPTIONS = (
    click.option(
        "--python",
        "pythons",
        multiple=True,
        metavar="P",
        default=[sys.executable],
        show_default="this one",
        help="An interpreter that has torch; repeatable. It needs none of our packages.",
    ),
    click.option(
        "--device",
        type=click.Choice(DEVICES),
        default="auto",
        show_default=True,
        help="Where the arms run; auto takes a GPU that torch was built for, else the CPU. An "
        "architecture compiles for that GPU without one, and decides what a compiler decides.",
    ),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(1),
        show_default="one per core, at most 8; on a GPU at most one per 8 GiB of its memory",
        help="Arms to run at a time.",
    ),
    click.option(
        "--timeout", type=FiniteRange(0, min_open=True), help="Seconds that an arm may take."
    ),
    click.option(
        "--repeat", type=click.IntRange(1), default=1, show_default=True, help="Runs of each arm."
    ),
    click.option(
        "--isolation",
        type=click.Choice(["fork", "fresh"]),
        default="fork",
        show_default=True,
        help="Fork each arm from a process that has loaded torch, or start a new interpreter.",
    ),
    click.option(
        "--witnesses",
        type=click.Choice(["new", "training", "all", "none"]),
        default="new",
        show_default=True,
        help="Other witnesses to ask: those that nobody has asked yet, these and the arms in "
        "training, all of them again, or none.",
    ),
    click.option(
        "--enforce-budget",
        type=FiniteRange(1),
        metavar="FACTOR",
        help="Fail if a case takes more than FACTOR times its budget of CPU seconds.",
    ),
    click.option("--record", is_flag=True, help="Merge the verdicts into playbooks/evidence."),
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
@click.option("--only", multiple=True, metavar="GLOB", help="Cases whose name matches; repeatable.")
@click.option(
    "--area", "areas", multiple=True, metavar="AREA", help="Cases of the area; repeatable."
)
@shard_option
@click.option(
    "--stale",
    is_flag=True,
    help="Only cases without current evidence of this torch, whichever machine recorded it.",
)
@click.option(
    "--budget",
    type=FiniteRange(0, min_open=True),
    metavar="S",
    help="Stop after S seconds; the next run goes on from there.",
)
@click.option("--force", is_flag=True, help="Also run cases whose evidence is current.")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    show_default=True,
    help="Who runs the arms: this machine, or the nodes of a Ray cluster.",
)
@_run_options
def run_all_command(**options: Any) -> int:
    """Decide every claim that has no current evidence on this machine.

    Exit status: 0 all verdicts agree with the catalog, 1 some disagree or a case exceeds an
    enforced budget, 2 wrong usage or invalid content, 3 an arm broke. An unstable verdict is
    listed; it disagrees only if the verdict of each of its repeats does.

    For example: python -m validators run-all --area guards --device cpu
    """
    return decide(**options)


@click.command("run")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=case_names)
@_run_options
def run_command(names: tuple[str, ...], **options: Any) -> int:
    """Decide the named cases, even if their evidence is current.

    NAME may also be an alias, a name with hyphens, or a pattern such as 'print_*'. Below each
    verdict stands what the arms did differently.

    For example: python -m validators run print_in_forward --python /path/to/your/python
    """
    return decide(only=names, force=True, named=True, **options)


def decide(
    places: Places,
    pythons: tuple[str, ...],
    device: str,
    record: bool,
    junitxml: Path | None,
    as_json: bool,
    jobs: int | None,
    enforce_budget: float | None,
    named: bool = False,
    engine: str = ENGINES[0],
    **asked: Any,
) -> int:
    """Decide what the options ask for, say what came out, and return the exit status.

    Raises:
        CasebookError: an option or the committed evidence cannot be used.
    """
    if record:
        places.require_checkout(f"{'run NAME' if named else 'run-all'} --record")
    catalog, committed, known, order = _content(places, record)
    stream = sys.stdout  # an engine may keep what else is printed out of it
    with opened(engine, places.catalog, jobs) as runs:
        environments = _environments(pythons, device, runs)
        width = jobs or runs.width or default_jobs(environments)
        settings = Settings(jobs=width, **asked)
        plan = make_plan(catalog, environments, known, committed, settings, order)
        if junitxml:
            junitxml.parent.mkdir(parents=True, exist_ok=True)
            junitxml.touch()
        left = TimeLeft(plan.jobs, {**committed, **known}, settings.jobs, settings.budget)
        told = _told if named else None
        with display(len(plan.jobs), left, stream, quiet=as_json, told=told) as listener:
            before = _cpu_seconds()
            decided = runs.run(catalog, plan, settings, places.local, listener)
            spent = _cpu_seconds() - before + (0.0 if runs.here else _spent_in(decided))
    output = output_of(catalog, plan, decided, committed, environments, spent, enforce_budget)
    if any(env.device != "cpu" for env in environments):
        compare_with_cpu(output.results, {**committed, **known})
    if record:
        output.recorded = _record(places, plan, decided)
    if junitxml:
        write_junit(junitxml, output.results)
    if as_json:
        print_json(output)
    else:
        summarize(output, brief=named, costs=enforce_budget is not None)
        if named:
            cases = {event.job.case.name: event.job.case for event in decided}
            click.echo("\n".join(where(places, list(cases.values()))))
    return output.exit_status


def _content(places: Places, record: bool) -> tuple[Catalog, Evidence, Evidence, Sequence[str]]:
    """The catalog, the committed and this machine's evidence, what a GPU decides first.

    Says what is wrong with them.

    Raises:
        CasebookError: the committed evidence is damaged, and `record` asks to add to it.
    """
    damaged: list[Problem] = []
    committed = load_evidence(places.committed, damaged=damaged)
    if record and damaged:
        raise CasebookError(str(damaged[0]))
    lost: list[Problem] = []
    known = load_evidence(places.local, damaged=lost, whole=record)
    catalog = load_catalog(places.catalog)
    order, defects = load_gpu_order(places.catalog.parent)
    catalog = dataclasses.replace(catalog, problems=(*catalog.problems, *damaged, *defects))
    # Damage in this machine's own records is not a defect of the content: those cases run again.
    for problem in (*catalog.problems, *lost):
        click.echo(f"Error: {problem}", err=True)
    return catalog, committed, known, order.names


def _told(event: Decided) -> str:
    return saw(event.job.case, event.decision.record)


def _cpu_seconds() -> float:
    """The CPU seconds of this process and of every process that it waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _spent_in(decided: list[Decided]) -> float:
    """The CPU seconds of arms and witnesses."""
    every = (it.decision for it in decided)
    return sum(it.arms_cpu_seconds + it.witnesses_cpu_seconds for it in every)


def _environments(pythons: tuple[str, ...], device: str, engine: Engine) -> list[Environment]:
    """The environments of the interpreters `pythons` where the engine runs arms.

    Raises:
        CasebookError: two interpreters would write the same column.
    """
    environments = [engine.describe(python, device) for python in dict.fromkeys(pythons)]
    columns = Counter(env.column for env in environments)
    column, count = columns.most_common(1)[0]
    if count > 1:
        raise CasebookError(
            f"--python: {count} interpreters belong to the column {column}; name one of them"
        )
    return environments


def default_jobs(environments: list[Environment]) -> int:
    """How many arms run at a time by default: each gets a core, and memory on the GPU."""
    jobs = min(os.cpu_count() or 1, 8)
    for env in environments:
        if env.gpu_memory:
            jobs = min(jobs, arms_at_once(env.gpu_memory))
    return jobs


def _record(places: Places, plan: Plan, decided: list[Decided]) -> list[str]:
    """Merge all records but errors into the committed evidence; return what changed."""
    records = [*plan.current, *(event.decision.record for event in decided)]
    worth = [record for record in records if record.verdict != "error"]
    changed = merge(places.committed, worth)
    return [f"{record.case} {record.column}" for record in changed]
