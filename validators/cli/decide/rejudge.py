"""`rejudge`: new verdicts on recorded reports, without running anything."""

from __future__ import annotations

import sys
from collections.abc import Container

import click

from validators.cli.decide.run import default_jobs
from validators.cli.places import Places, checkout_option
from validators.environment import describe
from validators.evidence import load_evidence, merge
from validators.evidence.quantities import count
from validators.evidence.stored.examples import only_judged_otherwise, write_example
from validators.families.illustrations import exampled
from validators.repository import Repository
from validators.runner.examples import judged_again
from validators.runner.plan import Settings
from validators.runner.rejudge import judge_again, to_judge
from validators.waiting import Waiting


@click.command("rejudge")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--python", default=sys.executable, metavar="P", help="An interpreter with torch.")
@click.option("--force", is_flag=True, help="Also those whose judge is unchanged.")
@checkout_option
def rejudge_command(places: Places, names: tuple[str, ...], python: str, force: bool) -> int:
    """Judge the recorded reports of all cases, or of the named ones, by their present `shows`.

    What examples printed is judged by the present signatures. Where an arm, a probe, a model or an
    example has changed, too, the record stays stale: the case has to run again. Nothing runs here,
    so a GPU's records are judged without one.

    Exit status: 0 all were judged, 3 a judge broke.

    For example: python -m validators rejudge print_in_forward
    """
    repository = Repository(places.catalog)
    catalog = repository.catalog
    cases = [catalog.find(name) for name in names] or catalog.cases
    _judge_examples(repository, {case.name for case in cases} if names else None)
    evidence = load_evidence(places.committed)
    pairs = to_judge(cases, evidence.values(), catalog.root, force=force)
    if not pairs:
        click.echo("nothing to judge")
        return 0
    env = describe(python)
    with Waiting(f"judging {len(pairs)} records"):
        judged, broken = judge_again(pairs, env, Settings(jobs=default_jobs([env])), catalog.root)
    merge(places.committed, judged)
    changed = [(evidence[it.case, it.column].verdict, it) for it in judged]
    changed = [(before, it) for before, it in changed if before != it.verdict]
    for before, it in changed:
        click.echo(f"{before} -> {it.verdict}  {it.case}  {it.column}")
    for problem in broken:
        click.echo(str(problem), err=True)
    click.echo(f"{len(judged)} records judged again, {len(changed)} with another verdict.")
    return 3 if broken else 0


def _judge_examples(repository: Repository, names: Container[str] | None) -> None:
    """Judge what examples printed, of the cases called `names` or of all."""
    judged, to_run = 0, list[str]()
    for name, case in exampled(repository).items():
        runs = repository.examples.get(name)
        if runs is None or (names is not None and name not in names):
            continue
        for column, run in runs.columns.items():
            if not only_judged_otherwise(case, run):
                continue
            if again := judged_again(case, run, runs):
                write_example(repository.committed, name, column, again, runs.printed.values())
                judged += 1
            else:
                to_run.append(f"{name} {column}")
    for name in to_run:
        click.echo(f"the example has to run again: {name}")
    if judged:
        click.echo(f"{count(judged, 'run')} of examples judged again.")
