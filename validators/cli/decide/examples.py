"""`examples`: run the programs before and after the fix that the pages show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from validators.catalog import Case, expected_to_hold
from validators.cli.decide.programs import count_line, program_options, recorded, runs_on
from validators.cli.decide.run import default_jobs
from validators.cli.places import Places
from validators.environment import Environment, describe
from validators.evidence import Evidence, load_evidence
from validators.evidence.stored.examples import (
    ExampleRun,
    Examples,
    example_digest,
    load_examples,
    merge_examples,
    run_on,
    write_example,
)
from validators.families.illustrations import Illustration, exampled
from validators.repository import Repository
from validators.runner.examples import Tried, run_examples
from validators.runner.pairs import Pair, compare_pairs
from validators.runner.plan import sharded
from validators.runner.programs import ExampleJob
from validators.styled import STYLES
from validators.verdicts import DECIDED


@click.command("examples")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help="cuda: only examples of pages that are about GPUs only.",
)
@program_options
@click.option(
    "--stale",
    is_flag=True,
    help="Only those without a current run on this torch, whichever machine recorded it.",
)
@click.option(
    "--uncompiled",
    is_flag=True,
    help="Compare what both sides compute without compiling, in each grad mode; record nothing.",
)
@click.option("--show", is_flag=True, help="Print what each side prints.")
def examples_command(
    places: Places,
    names: tuple[str, ...],
    python: str,
    device: str,
    jobs: int | None,
    isolation: str,
    stale: bool,
    shard: tuple[int, int],
    budget: float | None,
    force: bool,
    record: bool,
    uncompiled: bool,
    show: bool,
) -> int:
    """Run the examples of all pages, or of the named ones, before and after the fix.

    With --uncompiled, a pair that computes different things in some grad mode has to say why, in
    the page's field `sides_differ`.

    For example: python -m validators examples print_in_forward

    Exit status: 0 all agree with the proofs of their pages, 1 some do not.
    """
    if record:
        places.require_checkout("examples --record")
    repository = Repository(places.catalog)
    env = describe(python, device)
    pages = exampled(repository)
    cases = [pages[name] if name in pages else repository.catalog.find(name) for name in names]
    cases = cases or sharded([*pages.values()], *shard)
    runnable = [case for case in cases if runs_on(case, env)]
    if uncompiled:
        return _compare_uncompiled(runnable, env, jobs, isolation)
    known = load_examples(places.committed if stale else places.local, [])
    todo = [case for case in runnable if names or force or not _has_run(case, env, known)]
    evidence = load_evidence(places.committed, [])
    tried: list[Tried] = []

    def told(event: Tried) -> None:
        tried.append(event)
        write_example(places.local, event.job.case.name, env.column, event.run, event.printed)
        _print(event, _expected(event.job.case, env, evidence), show)

    if todo:
        width = jobs or default_jobs([env])
        run_examples([ExampleJob(case, env) for case in todo], width, isolation, budget, told)
    verdicts = Counter[str](event.run.verdict for event in tried)
    click.echo(count_line(verdicts, len(todo) - len(tried)))
    if record:
        _record(places, runnable, env)
    return int(any(_surprising(it.run, _expected(it.job.case, env, evidence)) for it in tried))


def _compare_uncompiled(
    cases: Sequence[Case], env: Environment, jobs: int | None, isolation: str
) -> int:
    different = []

    def tell(pair: Pair) -> None:
        why, name = pair.case.meta.sides_differ, pair.case.name
        for mode, difference in pair.differences.items():
            click.echo(f"{name}  {mode}: {difference}{' (declared)' if why else ''}")
        if why and not pair.differences:
            click.echo(f"{name}  computes the same; remove `sides_differ`")
        if bool(why) != bool(pair.differences):
            different.append(name)

    width = jobs or default_jobs([env])
    compare_pairs([ExampleJob(case, env) for case in cases], width, isolation, tell)
    click.echo(f"{len(different)} of {len(cases)} are not as their pages say")
    return int(bool(different))


def _has_run(case: Case, env: Environment, known: Examples) -> bool:
    run = run_on(known, case.name, env.column)
    return run is not None and run.digest == example_digest(case) and run.verdict != "error"


def _expected(case: Case, env: Environment, evidence: Evidence) -> str:
    """The verdict of the proof in this column; if it has none, the one that the page expects.

    "" if any will do.
    """
    record = evidence.get((case.name, env.column))
    if record and record.verdict in DECIDED:
        return record.verdict
    if isinstance(case, Illustration):
        return ""
    mark = env.fingerprint
    holds = expected_to_hold(case.meta, mark.torch, mark.device_type, mark.python)
    return "confirmed" if holds else ""


def _surprising(run: ExampleRun, expected: str) -> bool:
    if not expected:
        return run.verdict in ("error", "remedy-failed")
    return run.verdict != expected


def _print(event: Tried, expected: str, show: bool) -> None:
    run = event.run
    click.secho(f"{run.verdict:<13}", nl=False, fg=_colour(run))
    surprise = f"; the proof is {expected}" if _surprising(run, expected) and expected else ""
    said = f"{run.reason or run.line}{surprise}"
    click.echo(f" {event.job.case.name}  {event.cpu_seconds:.1f} CPU s  {said}")
    if show:
        for side, text in zip(("before", "after"), event.printed, strict=True):
            click.echo(f"--- {side}\n{text}")


def _colour(run: ExampleRun) -> str | None:
    style = STYLES[run.verdict].split()[-1]
    return None if style == "dim" else style


def _record(places: Places, cases: Sequence[Case], env: Environment) -> None:
    local = load_examples(places.local)
    keys = [(case.name, env.column) for case in cases if _has_run(case, env, local)]
    recorded(merge_examples(places.committed, local, keys))
