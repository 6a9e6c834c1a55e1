"""`audit`: say what is false in somebody's skill, page or notebook on torch.compile."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from validators.audit.beliefs import Beliefs
from validators.audit.findings import AuditFinding
from validators.audit.judging import audited
from validators.audit.reading import files_in
from validators.cli.output import print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.errors import printable
from validators.files import PROGRAM
from validators.repository import Repository


@click.command("audit")
@click.argument("place", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="P",
    help="An interpreter with torch; give several for several releases.  [default: this one]",
)
@catalog_option
@json_option
def audit_command(places: Places, place: Path, pythons: tuple[str, ...], as_json: bool) -> int:
    """Say what is false in a skill, page or notebook on torch.compile, and on which release.

    PATH is a file or a folder. Names of APIs and settings, keyword arguments, values of TORCH_LOGS,
    variables, modes and options are asked of each torch. Nothing of PATH is executed. Sentences
    with the words of a belief that a case refutes are shown as suspected, for a person to read.

    For example: python -m validators audit skills/ --python .venv/bin/python

    Exit status: 0 nothing is false, 1 something is, 2 PATH or an interpreter cannot be used.
    """
    beliefs = Beliefs(Repository(places.catalog).catalog.cases)
    found = audited(files_in(place), pythons or (sys.executable,), beliefs)
    if as_json:
        print_json(found)
    else:
        for it in found.findings:
            click.echo(printable(_line(it)))
        absent = sum(it.kind == "absent" for it in found.findings)
        click.echo(
            f"{found.claims} claims in {found.files} files asked of torch"
            f" {', '.join(found.releases)}: {absent} false;"
            f" {len(found.findings) - absent} of {found.sentences} sentences suspected"
        )
    return int(any(it.kind == "absent" for it in found.findings))


def _line(it: AuditFinding) -> str:
    place = f"{it.file}:{it.line}"
    if it.kind == "suspected":
        return f"{place}: suspected: {it.said} (see `{PROGRAM} show {it.case}`)"
    said = f"{place}: {it.said} on torch {', '.join(it.false_on)}"
    return f"{said}; it does on {', '.join(it.true_on)}" if it.true_on else said
