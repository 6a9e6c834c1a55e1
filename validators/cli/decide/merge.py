"""`merge`: evidence of other machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from validators.catalog import Case, Catalog, load_catalog
from validators.cli.places import Places, checkout_option
from validators.errors import CasebookError
from validators.evidence import Freshness, load_evidence, merge
from validators.evidence.stored.examples import example_digest, load_examples, merge_examples
from validators.evidence.stored.soaks import load_soaks, merge_soaks, soak_digest


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
        soaks = load_soaks(folder)
        if not (evidence or examples or soaks):
            raise CasebookError(f"{folder}: holds no evidence; name a run's build/evidence")
        records = [
            it
            for it in evidence.values()
            if it.verdict != "error"
            and it.case in catalog.by_name
            and freshness.is_current(catalog.by_name[it.case], it)
        ]
        left_out += len(evidence) - len(records)
        for record in merge(places.committed, records):
            click.echo(f"recorded {record.case} {record.column}")
        runs = [
            (case, column)
            for case, column, run in _runs(examples, catalog, example_digest)
            if run.verdict != "error"
        ]
        for key in merge_examples(places.committed, examples, runs):
            click.echo(f"recorded the example of {key}")
        soaked = [
            (case, column)
            for case, column, soak in _runs(soaks, catalog, soak_digest)
            if not soak.error
        ]
        for key in merge_soaks(places.committed, soaks, soaked):
            click.echo(f"recorded the soak of {key}")
        left_out += _count(examples) + _count(soaks) - len(runs) - len(soaked)
    if left_out:
        click.echo(f"left out: {left_out} that broke, or are not about the cases as they are")
    return 0


def _runs(
    files: Mapping[str, Any], catalog: Catalog, digest: Callable[[Case], str]
) -> Iterator[tuple[str, str, Any]]:
    """The runs of programs that stand on the pages as they are: case, column and run."""
    for case, found in files.items():
        for column, run in found.columns.items():
            if case in catalog.by_name and run.digest == digest(catalog.by_name[case]):
                yield case, column, run


def _count(files: Mapping[str, Any]) -> int:
    return sum(len(it.columns) for it in files.values())
