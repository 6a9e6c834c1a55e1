"""`soak`: call what the fixed programs compile many times, and with other arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import click

from validators.catalog import Case
from validators.cli.decide.programs import count_line, program_options, recorded, runs_on
from validators.cli.decide.run import default_jobs
from validators.cli.places import Places
from validators.environment import Environment, describe
from validators.evidence.stored.examples import Examples, run_on
from validators.evidence.stored.soaks import (
    Soak,
    Soaks,
    load_soaks,
    merge_soaks,
    soak_digest,
    soak_on,
    write_soak,
)
from validators.repository import Repository
from validators.runner.plan import sharded
from validators.runner.programs import ExampleJob
from validators.runner.soaks import Soaked, run_soaks


@click.command("soak")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@program_options
@click.option(
    "--stale",
    is_flag=True,
    help="Only those whose program has changed since its soak on this torch.",
)
def soak_command(
    places: Places,
    names: tuple[str, ...],
    python: str,
    jobs: int | None,
    isolation: str,
    stale: bool,
    shard: tuple[int, int],
    budget: float | None,
    force: bool,
    record: bool,
) -> int:
    """Call what the programs after the fix compile as users would, and compare with eager mode.

    Each call is made 20 times, then with other sizes, numbers of items and dtypes, with gradients,
    without them, and on a copy of the module.

    For example: python -m validators soak print_in_forward

    Exit status: 0 all hold up to what their pages declare in `limits`, 1 some do not.
    """
    if record:
        places.require_checkout("soak --record")
    repository = Repository(places.catalog)
    catalog = repository.catalog
    env = describe(python, "cpu")
    cases = [catalog.find(name) for name in names] or sharded([*catalog.cases], *shard)
    runnable = [case for case in cases if _is_fixed(case, env, repository.examples)]
    if stale:
        once = load_soaks(places.committed, [])
        runnable = [case for case in runnable if _has_changed(case, env, once)]
    known = load_soaks(places.local, [])
    todo = [case for case in runnable if names or force or not _is_soaked(case, env, known)]
    seen: list[Soaked] = []

    def listen(event: Soaked) -> None:
        seen.append(event)
        write_soak(places.local, event.job.case.name, env.column, event.soak)
        click.echo(_line(event))

    if todo:
        width = jobs or default_jobs([env])
        run_soaks([ExampleJob(case, env) for case in todo], width, isolation, budget, listen)
    counts = Counter(_outcome(it.job.case, it.soak) for it in seen)
    click.echo(count_line(counts, len(todo) - len(seen)))
    if record:
        _record(places, runnable, env)
    return int(any(_undeclared(it.job.case, it.soak) or it.soak.error for it in seen))


def _is_fixed(case: Case, env: Environment, examples: Examples) -> bool:
    """Whether the program after the fix can run here, and its example has not shown it to fail."""
    run = run_on(examples, case.name, env.column)
    return runs_on(case, env) and (run is None or run.verdict != "remedy-failed")


def _is_soaked(case: Case, env: Environment, known: Soaks) -> bool:
    soak = soak_on(known, case.name, env.column)
    return soak is not None and soak.digest == soak_digest(case) and not soak.error


def _has_changed(case: Case, env: Environment, known: Soaks) -> bool:
    soak = soak_on(known, case.name, env.column)
    return soak is not None and soak.digest != soak_digest(case)


def _undeclared(case: Case, soak: Soak) -> list[str]:
    return [kind for kind in soak.limits if kind not in case.meta.limits]


def _outcome(case: Case, soak: Soak) -> str:
    if soak.error:
        return "error"
    if _undeclared(case, soak):
        return "undeclared"
    if soak.limits:
        return "declared"
    return "holds" if soak.held else "nothing to soak"


def _line(event: Soaked) -> str:
    """What a soak found, in one line."""
    case, soak = event.job.case, event.soak
    declared = case.meta.limits
    limits = [
        f"{kind}: {reason}{' (declared)' if kind in declared else ''}"
        for kind, reason in soak.limits.items()
    ]
    told = soak.error or "; ".join([*limits, *filter(None, [", ".join(soak.held)])])
    return f"{_outcome(case, soak):<16} {case.name}  {event.cpu_seconds:.1f} CPU s  {told}"


def _record(places: Places, cases: Sequence[Case], env: Environment) -> None:
    local = load_soaks(places.local)
    keys = [(case.name, env.column) for case in cases if _is_soaked(case, env, local)]
    recorded(merge_soaks(places.committed, local, keys))
