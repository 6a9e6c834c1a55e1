"""What a run prints at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from validators.cli.decide.display import totals_line
from validators.cli.decide.results import over_budget
from validators.cli.decide.surprises import print_surprises
from validators.cli.output import ResultOutput, RunOutput
from validators.evidence.quantities import count
from validators.verdicts import DECIDED

_LISTED = 20
"""How many cases over their budget are named."""
_REASONS = 3
"""How many reasons why nothing was decided are told, the commonest."""


def summarize(output: RunOutput, brief: bool = False, costs: bool = False) -> None:
    """Print what broke, what is news, what was decided and what was not, with reasons.

    If it is `brief` and there is one result, its own line has said the total. With `costs`, also
    what the cases cost.
    """
    for result in output.results:
        if result.agreement == "broke":
            _explain_error(result)
    print_surprises(output)
    current = sum(result.current for result in output.results)
    if current:
        click.echo(f"{current} were current and did not run; --force runs them.")
    if output.not_reached:
        click.echo(f"{output.not_reached} were not reached within the budget; run again to go on.")
    for line in (*_spent(output), *_over_budget(output)) if costs else ():
        click.echo(line)
    for line in output.recorded:
        click.echo(f"recorded {line}")
    if not (brief and len(output.results) == 1):
        for line in _totals(output):
            click.echo(line)


def _totals(output: RunOutput) -> Iterator[str]:
    """How many claims are decided and how, and how many are not and why, in all columns."""
    columns = ", ".join(env.column for env in output.environments)
    decided: dict[str, int] = {word: n for word, n in output.totals.items() if word in DECIDED}
    counted = totals_line(decided).plain.strip().replace("  ", ", ")
    noun = "claim" if len(output.environments) == 1 else "verdict"
    yield f"{count(sum(decided.values()), noun)} decided on {columns}: {counted or 'none'}."
    others = [result for result in output.results if result.verdict not in DECIDED]
    reasons = Counter(_why_undecided(result) for result in others).most_common()
    if reasons:
        told = [f"{n} {why if n == 1 else _plural(why)}" for why, n in reasons[:_REASONS]]
        if rest := sum(n for _, n in reasons[_REASONS:]):
            told.append(f"{rest} for other reasons")
        yield f"{len(others)} not decided: {', '.join(told)}."


def _why_undecided(result: ResultOutput) -> str:
    return result.reason if result.verdict == "skipped" else result.verdict


def _plural(why: str) -> str:
    return f"need {why.removeprefix('needs ')}" if why.startswith("needs ") else why


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
