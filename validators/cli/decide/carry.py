"""`carry`: keep what GPUs recorded, over a change of probes that no report on a CPU shows."""

from __future__ import annotations

import subprocess
from itertools import groupby
from pathlib import Path

import click

from validators.cli.places import Places, checkout_option
from validators.errors import CasebookError
from validators.evidence import Record, load_evidence, merge
from validators.evidence.carrying import carried_over, waiting
from validators.evidence.digests.program import Program, read
from validators.evidence.stored.files import Line, read_verdicts
from validators.evidence.stored.store import verdicts_file
from validators.files import ROOT
from validators.repository import Repository

_PROBES = "validators/probes"


@click.command("carry")
@click.argument("revision")
@checkout_option
def carry_command(places: Places, revision: str) -> int:
    """Carry the records of GPUs over a change of probes; REVISION is the commit before it.

    First run the cases on every release that has a column, with --record. A case's records are
    carried over if all its records on CPUs say what they said at REVISION, word for word. The page
    then says that they were carried over.

    For example: python -m validators carry HEAD~1
    """
    repository = Repository(places.catalog)
    probes, root = _probes_at(revision), repository.catalog.root
    carried: list[Record] = []
    for name, same in groupby(load_evidence(places.committed).values(), lambda it: it.case):
        case, records = repository.catalog.by_name.get(name), [*same]
        if case and waiting(case, records, repository.freshness):
            lines = _lines_at(revision, verdicts_file(places.committed, name))
            carried += carried_over(case, records, lines, probes, repository.freshness, root)
    merge(places.committed, carried)
    for record in carried:
        click.echo(f"{record.case}  {record.column}")
    click.echo(f"{len(carried)} records carried over.")
    return 0


def _probes_at(revision: str) -> dict[str, Program]:
    """What the probes did at a revision, by place."""
    files = _git(ROOT, "ls-tree", "--name-only", revision, f"{_PROBES}/").decode().splitlines()
    return {it: read(_git(ROOT, "show", f"{revision}:{it}")) for it in files if it.endswith(".py")}


def _lines_at(revision: str, file: Path) -> dict[str, Line]:
    """The records of a case at a revision, by column; none if it had none."""
    try:
        return read_verdicts(_git(file.parent, "show", f"{revision}:./{file.name}")).columns
    except CasebookError:
        return {}


def _git(folder: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise CasebookError(f"git {arguments[0]}: {said}; name a commit of this repository")
    return done.stdout
