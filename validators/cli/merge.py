"""`merge`: evidence of other machines."""

from __future__ import annotations

from pathlib import Path

import click

from validators.catalog import load_catalog
from validators.cli.places import Places, checkout_option
from validators.errors import CasebookError
from validators.evidence import Freshness, load_evidence, merge
from validators.evidence.examples import example_digest, load_examples, merge_examples


@click.command("merge")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="FOLDER...",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@checkout_option
def merge_command(places: Places, folders: tuple[Path, ...]) -> int:
    """Merge evidence that other machines recorded into playbooks/evidence.

    FOLDER is what a run left in build/evidence. Errors, and what is not about the present cases,
    are left out, and counted.

    For example: python -m validators merge artifacts/*/evidence
    """
    catalog = load_catalog(places.catalog)
    freshness, left_out = Freshness(catalog.root), 0
    for folder in folders:
        evidence, examples = load_evidence(folder, whole=True), load_examples(folder)
        if not evidence and not examples:
            raise CasebookError(f"{folder}: holds no evidence; name a run's build/evidence")
        records = [
            it
            for it in evidence.values()
            if it.verdict != "error"
            and it.case in catalog.by_name
            and freshness.is_current(catalog.by_name[it.case], it)
        ]
        runs = [(case, column) for case, found in examples.items() for column in found.columns]
        current = [
            (case, column)
            for case, column in runs
            if case in catalog.by_name
            and examples[case].columns[column].verdict != "error"
            and examples[case].columns[column].digest == example_digest(catalog.by_name[case])
        ]
        left_out += len(evidence) - len(records) + len(runs) - len(current)
        for record in merge(places.committed, records):
            click.echo(f"recorded {record.case} {record.column}")
        for run in merge_examples(places.committed, examples, current):
            click.echo(f"recorded the example of {run}")
    if left_out:
        click.echo(f"left out: {left_out} that broke, or are not about the cases as they are")
    return 0
