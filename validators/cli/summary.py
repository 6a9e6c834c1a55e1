"""What a run prints at its end."""

from __future__ import annotations

from collections.abc import Iterator

import click

from validators.cli.display import totals_line
from validators.cli.output import ResultOutput, RunOutput
from validators.cli.results import over_budget
from validators.cli.surprises import print_surprises
from validators.evidence.quantities import count

_LISTED = 20
"""How many cases over their budget are named."""


def summarize(output: RunOutput, brief: bool = False) -> None:
    """Print what broke, what is news, the totals, and what the cases cost.

    If it is `brief` and there is one result, its own line has said the total and the cost.
    """
    one = brief and len(output.results) == 1
    for result in output.results:
        if result.agreement == "broke":
            _explain_error(result)
    print_surprises(output)
    current = sum(result.current for result in output.results)
    columns = ", ".join(env.column for env in output.environments)
    if not one:
        totals = totals_line(output.totals).plain.strip()
        click.echo(f"{count(len(output.results), 'case')} on {columns}: {totals}")
    if current:
        click.echo(f"{current} were current and did not run; --force runs them.")
    if output.left_out or output.not_reached:
        click.echo(f"Left out: {'; '.join(_left_out(output))}.")
    for line in (*(() if one else _spent(output)), *_over_budget(output)):
        click.echo(line)
    for line in output.recorded:
        click.echo(f"recorded {line}")


def _left_out(output: RunOutput) -> Iterator[str]:
    """How many cases did not run, and why."""
    if output.left_out:
        yield f"{output.left_out} cases that are neither changed nor in the sample"
    if output.not_reached:
        yield f"{output.not_reached} that were not reached within the budget; run again to go on"


def _spent(output: RunOutput) -> Iterator[str]:
    """The CPU seconds of the run."""
    cpu = output.cpu
    if cpu.arms:
        rest = cpu.total - cpu.arms - cpu.witnesses
        yield (
            f"{cpu.total:.0f} CPU seconds: {cpu.arms:.0f} in arms, "
            f"{cpu.witnesses:.0f} in witnesses, {rest:.0f} in starting interpreters and the rest"
        )


def _over_budget(output: RunOutput) -> Iterator[str]:
    """The cases that took more than their budget of CPU seconds."""
    over = over_budget(output.results)
    for result in over[:_LISTED]:
        yield (
            f"over budget: {result.case} ({result.column}) took {result.cpu_seconds:.1f} "
            f"CPU seconds of {result.cpu_budget}"
        )
    if len(over) > _LISTED:
        yield f"over budget: {len(over) - _LISTED} more; --json has the CPU seconds of each case"


def _explain_error(result: ResultOutput) -> None:
    click.echo(f"\n{result.case} ({result.column}) broke: {result.reason}", err=True)
    for line in result.output.rstrip().splitlines()[-15:]:
        click.echo(f"    {line}", err=True)
    click.echo(f"  run it again: {result.command}\n", err=True)
