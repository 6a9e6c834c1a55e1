"""The commands that begin an entry of the experiment log: `new-entry` and `draft-entry`."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import click

from docsite.changes import compare
from docsite.drafts import draft
from docsite.sides import read_pairs
from docsite.slugs import slug_of
from validators.catalog import load_catalog
from validators.catalog.casebook import default_catalog
from validators.catalog.logs import TYPES
from validators.errors import CasebookError
from validators.evidence import load_evidence

_TEMPLATE = Path(__file__).parent / "templates" / "entry.md.txt"

_catalog = click.option(
    "--catalog",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=default_catalog,
    show_default="playbooks/catalog",
    help="The folder of areas that hold the cases; evidence and logs are found beside it.",
)
_date = click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    default=lambda: datetime.date.today().isoformat(),
    show_default="today",
    help="The day that the entry is of.",
)


@click.command("new-entry")
@click.argument("slug")
@click.option("--type", "kind", type=click.Choice(TYPES), default="observation", show_default=True)
@_date
@_catalog
def new_entry(slug: str, kind: str, date: datetime.datetime, catalog: Path) -> None:
    """Write the scaffold of a log entry, DATE-SLUG.md; `check` refuses it until it is rewritten."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
        raise CasebookError(f"{slug!r} is not the name of an entry; use lower case, digits and -")
    text = _TEMPLATE.read_text(encoding="utf-8").replace("ENTRY_DATE", f"{date:%Y-%m-%d}")
    text = text.replace("ENTRY_TYPE", kind)
    text = text.replace("ENTRY_TITLE", slug.replace("-", " ").capitalize())
    _write(_logs(catalog) / f"{date:%Y-%m-%d}-{slug}.md", text)


@click.command("draft-entry")
@click.option("--from", "before", required=True, metavar="X", help="The evidence that was.")
@click.option("--to", "after", required=True, metavar="Y", help="The evidence that is.")
@click.option(
    "--out",
    metavar="FILE",
    help="Where the entry goes, - for standard output; by default into playbooks/logs.",
)
@_date
@_catalog
def draft_entry(
    before: str, after: str, out: str | None, date: datetime.datetime, catalog: Path
) -> None:
    """Write the retrospective of what changed from X to Y; only the reasons are left open.

    X and Y are each a column such as torch-2.13.0-cpu, a git revision of the evidence, another
    folder of evidence, REVISION:COLUMN or FOLDER:COLUMN.
    """
    catalog = catalog.resolve()
    folder = catalog.parent / "evidence"
    cases = load_catalog(catalog)
    comparisons = [compare(*pair, cases) for pair in read_pairs(before, after, folder)]
    if not any(it.both or it.new for it in comparisons):
        raise CasebookError(
            f"{before} and {after}: hold no record of a case of {catalog}; name its --catalog"
        )
    if not any(comparisons):
        click.echo(f"Nothing changed from {before} to {after}; no entry was written.", err=True)
        return
    text = draft(comparisons, cases, load_evidence(folder), date.date())
    if out == "-":
        click.echo(text, nl=False)
        return
    name = f"{date:%Y-%m-%d}-{slug_of(f'{before} to {after}')}.md"
    _write(Path(out) if out else _logs(catalog) / name, text)


def _logs(catalog: Path) -> Path:
    return catalog.resolve().parent / "logs"


def _write(file: Path, text: str) -> None:
    """Write a new file.

    Raises:
        CasebookError: it is there already.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise CasebookError(f"{file}: is there already; choose another name") from None
    click.echo(f"wrote {file}")
    click.echo("Rewrite what begins with REWRITE:, then: python -m validators check")
