"""`new-entry`: the scaffold of an entry of the experiment log."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import click

from validators.catalog.logs import TYPES
from validators.cli.output import NewOutput, print_json
from validators.cli.places import Places, checkout_option, date_option, json_option
from validators.errors import CasebookError
from validators.files import PROGRAM
from validators.logbook.entries import write_entry

_TEMPLATE = Path(__file__).parent / "templates" / "entry.md.txt"


@click.command("new-entry")
@click.argument("slug")
@click.option("--type", "kind", type=click.Choice(TYPES), default="observation", show_default=True)
@date_option
@checkout_option
@json_option
def new_entry_command(
    places: Places, slug: str, kind: str, date: datetime.datetime, as_json: bool
) -> int:
    """Write the scaffold of a log entry; `check` refuses it until you rewrite it.

    For example: python -m validators new-entry what-i-tried
    """
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
        raise CasebookError(f"{slug!r} is not the name of an entry; use lower case, digits and -")
    if not places.catalog.is_dir():
        raise CasebookError(f"{places.catalog}: is not a folder; name the catalog with --catalog")
    file = places.logs / f"{date:%Y-%m-%d}-{slug}.md"
    text = _TEMPLATE.read_text(encoding="utf-8").replace("ENTRY_DATE", f"{date:%Y-%m-%d}")
    text = text.replace("ENTRY_TYPE", kind)
    write_entry(file, text.replace("ENTRY_TITLE", slug.replace("-", " ").capitalize()))
    if as_json:
        print_json(NewOutput(written=[str(file)]))
        return 0
    click.echo(f"wrote {file}")
    click.echo(f"Replace what begins with REWRITE:, then run: {PROGRAM} check")
    return 0
