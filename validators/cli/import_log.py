"""`import-log`: split a log in one Markdown file into entries of the experiment log."""

from __future__ import annotations

from pathlib import Path

import click

from validators.logbook.import_log import read_import


@click.command("import-log")
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    # Not beside the catalog: outside a casebook, that is the one that this command came with.
    default=Path("playbooks/logs"),
    show_default=True,
    metavar="DIR",
    help="The folder for the entries.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def import_log_command(file: Path, out: Path, dry_run: bool) -> int:
    """Split the log FILE into entries, one file each.

    An entry begins with `## YYYY-MM-DD - Type: Title`. Text outside all entries goes to a file of
    its own, and the command names each such place.

    For example: python -m validators import-log log.md --out entries
    """
    imported = read_import(file, out)
    for problem in imported.problems:
        click.echo(problem, err=True)
    click.echo(imported.write(dry_run=dry_run))
    return 0
