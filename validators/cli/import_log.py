"""`import-log`: a log that is one Markdown file, as entries of the experiment log."""

from __future__ import annotations

from pathlib import Path

import click

from validators.logbook.import_log import read_import


@click.command("import-log")
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    # Not beside the catalog: elsewhere that is the casebook that this command came with.
    default=Path("playbooks/logs"),
    show_default=True,
    metavar="DIR",
    help="The folder that the entries are written into.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def import_log_command(file: Path, out: Path, dry_run: bool) -> int:
    """Write the entries of the log FILE, each as a file of its own.

    An entry begins with `## YYYY-MM-DD - Type: Title`; text that is in none is kept apart, and
    each such place is named.
    """
    imported = read_import(file, out)
    for problem in imported.problems:
        click.echo(problem, err=True)
    click.echo(imported.write(dry_run=dry_run))
    return 0
