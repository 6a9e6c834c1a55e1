"""`draft-entry`: the log entry on what changed between two snapshots of evidence."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from validators.cli.places import Places, checkout_option, date_option
from validators.errors import CasebookError
from validators.evidence import Evidence
from validators.evidence.columns import in_order
from validators.files import PROGRAM
from validators.logbook.comparison import compare
from validators.logbook.draft import draft
from validators.logbook.entries import slug_of, write_entry
from validators.logbook.snapshots import read_pairs
from validators.repository import Repository


@click.command("draft-entry")
@click.option(
    "--from",
    "before",
    metavar="X",
    help="The earlier evidence; by default the column of the release before Y on its device.",
)
@click.option("--to", "after", required=True, metavar="Y", help="The later evidence.")
@click.option(
    "--out",
    metavar="FILE",
    help="The file to write, or - for standard output; by default a file in playbooks/logs.",
)
@date_option
@checkout_option
def draft_entry_command(
    places: Places, before: str | None, after: str, out: str | None, date: datetime.datetime
) -> int:
    """Draft the retrospective of what changed from X to Y; you add only the reasons.

    X and Y are each a column such as torch-2.13.0-cpu, a git revision of the evidence, another
    folder of evidence, REVISION:COLUMN or FOLDER:COLUMN.

    For example: python -m validators draft-entry --from torch-2.13.0-cpu --to torch-2.15.0-cpu
    """
    repository = Repository(places.catalog)
    cases = repository.catalog
    if before is None:
        before = _column_before(after, repository.evidence)
    pairs = read_pairs(before, after, repository.committed)
    comparisons = [compare(*pair, cases) for pair in pairs]
    if not any(it.both or it.new for it in comparisons):
        raise CasebookError(
            f"{before} and {after}: hold no record of a case of {places.catalog}; "
            "name their catalog with --catalog"
        )
    if not any(comparisons):
        click.echo(f"Nothing changed from {before} to {after}; no entry was written.", err=True)
        return 0
    text = draft(comparisons, repository.evidence, date.date())
    if out == "-":
        click.echo(text, nl=False)
        return 0
    name = f"{date:%Y-%m-%d}-{slug_of(f'{before} to {after}')}.md"
    file = Path(out) if out else places.logs / name
    write_entry(file, text)
    click.echo(f"wrote {file}")
    click.echo(f"Replace what begins with REWRITE:, then run: {PROGRAM} check")
    return 0


def _column_before(name: str, evidence: Evidence) -> str:
    """The column of the release before that of the column `name`, on the same device.

    Raises:
        CasebookError: the evidence has no column `name`, or it is the first one on its device.
    """
    columns = in_order(column for _, column in evidence)
    devices = {it.name: it.accelerator for it in columns}
    alike = [it.name for it in columns if it.accelerator == devices.get(name)]
    if name not in alike[1:]:
        raise CasebookError(f"{name}: no column comes before it; say with --from what to compare")
    return alike[alike.index(name) - 1]
