"""`import-log`: split a log in one Markdown file into entries of the experiment log."""

from __future__ import annotations

from pathlib import Path

import click

from validators.errors import CasebookError
from validators.files import PROGRAM
from validators.logbook.entries import write_entry
from validators.logbook.import_log import split_log


@click.command("import-log")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    # Not beside the catalog, which may be that of another checkout.
    default=Path("playbooks/logs"),
    show_default=True,
    metavar="DIR",
    help="The folder for the entries.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def import_log_command(file: Path, out: Path, dry_run: bool) -> None:
    """Split the log FILE into entries, one file each.

    An entry begins with `## YYYY-MM-DD - Type: Title`. Text outside all entries goes to a file of
    its own, with its line numbers.

    For example: python -m validators import-log log.md --out entries
    """
    pages, unplaced = split_log(file)
    files = {out / f"{name}.md": page for name, page in pages.items()}
    rest = out / f"{file.stem}.unplaced.txt"
    if unplaced:
        files[rest] = "\n".join(unplaced) + "\n"
    if taken := next((it for it in files if it.exists()), None):
        raise CasebookError(f"{taken}: already exists; name another folder with --out")
    if not dry_run:
        for path, text in files.items():
            write_entry(path, text)
    done = "to write" if dry_run else "written"
    click.echo(f"Entries {done} to {out}: {len(pages)}")
    if unplaced:
        click.echo(f"Lines in no entry, {done} to {rest}: {len(unplaced)}")
    click.echo(f"Next, give the entries `cases` and run: {PROGRAM} check")
