"""`list`, `show` and `status`: what is there and what is known; nothing runs."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import click

from validators.catalog import Case, Catalog, load_catalog
from validators.catalog.discovery import load_case
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.tables import print_table
from validators.errors import Problem, printable
from validators.evidence.known import Currency, Known, load_known, records_of
from validators.evidence.record import DECIDED
from validators.files import read_file

if TYPE_CHECKING:
    from validators.cli.output import CudaCoverage, ShowOutput, StatusOutput

_Verdicts = dict[str, dict[str, str]]
"""Of each case, by name: its verdict per column, marked where it is stale."""
_KnownByCase = dict[str, dict[str, Known]]


@click.command("list")
@catalog_option
@json_option
def list_command(places: Places, as_json: bool) -> int:
    """List all cases with their verdicts, a line each."""
    catalog, verdicts, _, found = _load(places)
    if as_json:
        from validators.cli.output import CaseOutput, ListOutput, ProblemOutput, print_json

        problems = [ProblemOutput.of(problem) for problem in found]
        cases = [CaseOutput.of(case, verdicts[case.name]) for case in catalog.cases]
        print_json(ListOutput(cases=cases, problems=problems))
        return _status(found)
    _report(found)
    width = max((len(case.name) for case in catalog.cases), default=0)
    lines = []
    for case in catalog.cases:
        said = case.retired or ", ".join(sorted(set(verdicts[case.name].values()))) or "undecided"
        lines.append(f"{case.name:<{width}}  {case.area:<15} {case.meta.kind:<11} {said}\n")
    click.echo("".join(lines), nl=False)
    return _status(found)


@click.command("show")
@click.argument("name")
@catalog_option
@json_option
def show_command(places: Places, name: str, as_json: bool) -> int:
    """Show one case: its claim, what is known of it, its page and its proof."""
    from validators.cli.output import CaseOutput, ShowOutput, print_json

    case = load_case(places.catalog, name)
    damaged: list[Problem] = []
    records = records_of(case.name, places.committed, places.local, damaged=damaged)
    _report(damaged)
    currency = Currency(places.catalog)
    output = ShowOutput(
        case=CaseOutput.of(case, {r.column: _verdict(currency, case, r) for r in records}),
        page=case.body.strip(),
        proof=read_file(case.proof).decode("utf-8", "replace"),
        records=records,
    )
    if as_json:
        print_json(output)
    else:
        _print_case(case, output)
    return _status(damaged)


@click.command("status")
@catalog_option
@json_option
def status_command(places: Places, as_json: bool) -> int:
    """Show the matrix of cases and columns, and how much of CUDA is decided."""
    from validators.cli.output import CaseOutput, StatusOutput, print_json

    catalog, verdicts, known, found = _load(places)
    _report(found)
    columns = sorted({column for records in known.values() for column in records})
    live = [case for case in catalog.cases if not case.retired]
    cases = [CaseOutput.of(case, verdicts[case.name]) for case in live]
    output = StatusOutput(columns=columns, cases=cases, cuda=_coverage(live, verdicts, known))
    if as_json:
        print_json(output)
    else:
        _print_matrix(output)
    return _status(found)


def _load(places: Places) -> tuple[Catalog, _Verdicts, _KnownByCase, list[Problem]]:
    """The catalog, its verdicts, what is known of it, and what could not be read."""
    # Nothing read here has cycles, and to search it for some takes longer than to read it.
    gc.disable()
    catalog, damaged = load_catalog(places.catalog), list[Problem]()
    known = load_known(places.committed, places.local, damaged=damaged)
    currency = Currency(places.catalog)
    verdicts = {
        case.name: {
            column: _verdict(currency, case, record)
            for column, record in sorted(known.get(case.name, {}).items())
        }
        for case in catalog.cases
    }
    gc.freeze()
    return catalog, verdicts, known, [*catalog.problems, *damaged]


def _report(problems: list[Problem]) -> None:
    for problem in problems:
        click.echo(f"Error: {problem}", err=True)


def _status(problems: list[Problem]) -> int:
    """The exit status of a command that showed all but what these problems keep from it."""
    return 2 if problems else 0


def _verdict(currency: Currency, case: Case, record: Known) -> str:
    return record.verdict + ("" if currency.is_current(case, record) else " (stale)")


def _coverage(cases: list[Case], verdicts: _Verdicts, known: _KnownByCase) -> CudaCoverage:
    from validators.cli.output import CudaCoverage

    meaningful = [case.name for case in cases if "cuda" in case.meta.devices]
    decided = [
        name
        for name in meaningful
        if any(
            record.fingerprint.device == "cuda" and verdicts[name][column] in DECIDED
            for column, record in known.get(name, {}).items()
        )
    ]
    return CudaCoverage(meaningful=len(meaningful), decided=len(decided))


def _print_case(case: Case, output: ShowOutput) -> None:
    click.echo(f"{case.name} ({case.meta.kind}, {case.area})")
    click.echo(f"\nclaim: {case.meta.claim.strip()}")
    if case.meta.believed:
        click.echo(f"believed: {case.meta.believed.strip()}")
    if case.retired:
        click.echo(case.retired)
    click.echo()
    for column, verdict in output.case.verdicts.items():
        click.echo(f"{verdict:<14} {column}")
    if not output.case.verdicts:
        click.echo("undecided: no program has run it here")
    click.echo(f"\n{output.page}\n\n--- {case.proof.name}")
    for line in output.proof.rstrip().split("\n"):
        click.echo(printable(line))


def _print_matrix(output: StatusOutput) -> None:
    rows = [
        (case.name, *(case.verdicts.get(column, "undecided") for column in output.columns))
        for case in output.cases
    ]
    print_table(("case", *output.columns), rows)
    cuda = output.cuda
    print(f"CUDA: {cuda.decided} of {cuda.meaningful} claims with a meaning there are decided.")
