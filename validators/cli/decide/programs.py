"""What `examples` and `soak` share: their options, and which pages they run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from validators.catalog import Case, example_is_for
from validators.cli.decide.run import shard_option
from validators.cli.places import catalog_option
from validators.cli.ranges import FiniteRange
from validators.environment import Environment
from validators.environment.lacking import lacking

_OPTIONS = (
    click.option(
        "--python", default=sys.executable, metavar="P", help="An interpreter with torch."
    ),
    click.option("-j", "--jobs", type=click.IntRange(1), help="Programs to run at a time."),
    click.option(
        "--isolation", type=click.Choice(["fork", "fresh"]), default="fork", show_default=True
    ),
    shard_option,
    click.option(
        "--budget",
        type=FiniteRange(0, min_open=True),
        metavar="S",
        help="Start none after S seconds.",
    ),
    click.option("--force", is_flag=True, help="Also run those unchanged since their last run."),
    click.option("--record", is_flag=True, help="Merge the results into playbooks/evidence."),
    catalog_option,
)


def program_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that runs the programs of pages."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def runs_on(case: Case, env: Environment) -> bool:
    """Whether the page has an example for this device, and everything that it needs is there."""
    if case.example is None or case.retired:
        return False
    # A claim that a CPU decides may have an example that only a GPU can run.
    fits = example_is_for(case.meta, env.fingerprint.torch, env.device)
    return fits and not lacking(case.meta, env)


def count_line(counts: dict[str, int], left: int) -> str:
    """How many programs ended how, and how many are `left` after the budget."""
    told = counts | ({"not reached within the budget": left} if left else {})
    return ", ".join(f"{count} {name}" for name, count in told.items()) or "nothing to run"


def recorded(lines: Iterable[str]) -> None:
    """Say what was merged."""
    for line in lines:
        click.echo(f"recorded {line}")
