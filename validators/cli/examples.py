"""`examples`: run the programs before and after the fix that stand on the pages."""

from __future__ import annotations

import sys
from collections import Counter

import click

from validators.catalog import Case, load_catalog
from validators.cli.places import Places, catalog_option
from validators.cli.run import default_jobs
from validators.environment import describe
from validators.environment.needs import NEEDS
from validators.evidence.examples import (
    example_digest,
    load_examples,
    merge_examples,
    write_example,
)
from validators.runner.examples import ExampleJob, Tried, run_examples


@click.command("examples")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--python", default=sys.executable, metavar="P", help="An interpreter with torch.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Examples that run at a time.")
@click.option(
    "--isolation", type=click.Choice(["fork", "fresh"]), default="fork", show_default=True
)
@click.option("--force", is_flag=True, help="Run also those that have run as they stand.")
@click.option("--record", is_flag=True, help="Merge what was seen into playbooks/evidence.")
@click.option("--show", is_flag=True, help="Print what each side prints.")
@catalog_option
def examples_command(
    places: Places,
    names: tuple[str, ...],
    python: str,
    jobs: int | None,
    isolation: str,
    force: bool,
    record: bool,
    show: bool,
) -> int:
    """Run the examples of all pages, or of those named, before and after the fix.

    Exit status: 0 all are as their pages say, 1 some are not.
    """
    catalog = load_catalog(places.catalog)
    cases = [catalog.find(name) for name in names] or list(catalog.cases)
    env = describe(python, "cpu")
    known = load_examples(places.local, [])
    todo: list[Case] = []
    done: list[Case] = []
    for case in cases:
        if case.example is None or case.retired or "cpu" not in case.meta.devices:
            continue
        if any(need not in env.modules for need in case.meta.needs if need in NEEDS):
            continue
        run = known[case.name].columns.get(env.column) if case.name in known else None
        current = run is not None and run.digest == example_digest(case)
        (done if current and not force and not names else todo).append(case)
    tried: list[Tried] = []

    def told(event: Tried) -> None:
        tried.append(event)
        name, run = event.job.case.name, event.run
        write_example(places.local, name, env.column, run, event.printed)
        click.secho(f"{run.verdict:<13}", nl=False, bold=run.verdict == "error")
        click.echo(f" {name}  {event.cpu_seconds:.1f} CPU s  {run.reason or run.line}")
        if show:
            for side, text in zip(("before", "after"), event.printed, strict=True):
                click.echo(f"--- {side}\n{text}")

    if todo:
        width = jobs or default_jobs([env])
        run_examples([ExampleJob(case, env) for case in todo], width, isolation, told)
    verdicts = Counter(event.run.verdict for event in tried)
    click.echo(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()) or "no news")
    if record:
        local = load_examples(places.local)
        keys = [(case.name, env.column) for case in (*done, *(it.job.case for it in tried))]
        keys = [key for key in keys if local[key[0]].columns[key[1]].verdict != "error"]
        for line in merge_examples(places.committed, local, keys):
            click.echo(f"recorded {line}")
    return int(any(event.run.verdict != "confirmed" for event in tried))
