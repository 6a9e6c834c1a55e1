"""`check`: reads everything, runs nothing."""

from __future__ import annotations

import click

from validators.checks import check_all, fix_prose
from validators.checks.families import check_headers
from validators.cli.output import CheckOutput, ProblemOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.repository import Repository


@click.command("check")
@click.option("--fix", is_flag=True, help="First update the figures and tables in prose.")
@click.option("--families", is_flag=True, help="Also find signatures that fit a whole family.")
@checkout_option
@json_option
def check_command(places: Places, fix: bool, families: bool, as_json: bool) -> int:
    """Find defects in pages, proofs, citations, figures, logs, sources, skills and evidence.

    For example: python -m validators check --fix
    """
    fixed = fix_prose(Repository(places.catalog)) if fix else []
    repository = Repository(places.catalog, whole=True)
    found = check_all(repository)
    problems = [*found.problems, *(check_headers(repository) if families else ())]
    output = CheckOutput(
        checked=found.checked,
        problems=[ProblemOutput.of(problem) for problem in problems],
        fixed=[str(path) for path in fixed],
    )
    if as_json:
        print_json(output)
    else:
        for path in output.fixed:
            click.echo(f"updated figures or tables in {path}")
        for problem in problems:
            click.echo(str(problem))
        read = ", ".join(f"{count} {kind}" for kind, count in found.checked.items())
        click.echo(f"{len(problems)} problems in {read}")
    return 2 if problems else 0
