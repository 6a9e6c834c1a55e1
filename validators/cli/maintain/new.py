"""`new`: both files of a case, working and ready to be rewritten."""

from __future__ import annotations

import re
from pathlib import Path

import click

from validators.catalog import load_catalog
from validators.cli.output import NewOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.errors import CasebookError
from validators.files import PROGRAM

_TEMPLATES = Path(__file__).parent / "templates"


@click.command("new")
@click.argument("area")
@click.argument("name")
@checkout_option
@json_option
def new_command(places: Places, area: str, name: str, as_json: bool) -> int:
    """Write the page and the proof of a new case; NAME is its permanent id.

    For example: python -m validators new graph_breaks my_pattern
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise CasebookError(f"{name!r} is not a case's name; use lower case, digits and _")
    catalog = load_catalog(places.catalog)
    if refusal := catalog.casebook.refusal(area):
        raise CasebookError(refusal)
    taken = catalog.by_name.get(name) or catalog.by_alias.get(name)
    if taken:
        raise CasebookError(f"{taken.page}: already has the name {name!r}; choose another")
    folder = places.catalog / area
    folder.mkdir(parents=True, exist_ok=True)
    title = name.replace("_", " ").capitalize()
    written = []
    for suffix in (".md", ".py"):
        text = (_TEMPLATES / f"case{suffix}.txt").read_text(encoding="utf-8")
        with (folder / name).with_suffix(suffix).open("x", encoding="utf-8") as file:
            file.write(text.replace("CASE_TITLE", title))
        written.append(file.name)
    if as_json:
        print_json(NewOutput(written=written))
        return 0
    for path in written:
        click.echo(f"wrote {path}")
    click.echo(f"Rewrite both, then run: {PROGRAM} run {name}")
    return 0
