"""`check`: reads everything, runs nothing."""

from __future__ import annotations

import click

from validators.checks import check_all, fix_prose
from validators.cli.output import CheckOutput, ProblemOutput, print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.repository import Repository


@click.command("check")
@click.option("--fix", is_flag=True, help="First update the figures and tables in prose.")
@catalog_option
@json_option
def check_command(places: Places, fix: bool, as_json: bool) -> int:
    """Find defects in pages, proofs, citations, figures, logs, sources, skills and evidence."""
    fixed = fix_prose(Repository(places.catalog)) if fix else []
    found = check_all(Repository(places.catalog, whole=True))
    output = CheckOutput(
        checked=found.checked,
        problems=[ProblemOutput.of(problem) for problem in found.problems],
        fixed=[str(path) for path in fixed],
    )
    if as_json:
        print_json(output)
    else:
        for path in output.fixed:
            click.echo(f"updated figures or tables in {path}")
        for problem in found.problems:
            click.echo(str(problem))
        read = ", ".join(f"{count} {kind}" for kind, count in found.checked.items())
        click.echo(f"{len(found.problems)} problems in {read}")
    return 2 if found.problems else 0
