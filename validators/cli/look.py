"""`list`, `show` and `status`: what is there and what is known; nothing runs."""

from __future__ import annotations

import sys

import click

from validators.catalog import Case, Catalog, load_catalog
from validators.cli.output import (
    CaseOutput,
    CudaCoverage,
    ListOutput,
    ProblemOutput,
    ShowOutput,
    StatusOutput,
    print_json,
)
from validators.cli.places import Places, catalog_option, json_option
from validators.evidence import Evidence, Record, is_current, load_evidence
from validators.evidence.record import DECIDED


@click.command("list")
@catalog_option
@json_option
def list_command(places: Places, as_json: bool) -> int:
    """List all cases with their verdicts, a line each."""
    catalog, evidence = _load(places)
    cases = [CaseOutput.of(case, _verdicts(catalog, case, evidence)) for case in catalog.cases]
    if as_json:
        problems = [ProblemOutput.of(problem) for problem in catalog.problems]
        print_json(ListOutput(cases=cases, problems=problems))
        return 0
    for problem in catalog.problems:
        click.echo(f"Error: {problem}", err=True)
    width = max((len(case.name) for case in cases), default=0)
    for case in cases:
        said = case.retired or ", ".join(sorted(set(case.verdicts.values()))) or "undecided"
        click.echo(f"{case.name:<{width}}  {case.area:<15} {case.meta.kind:<11} {said}")
    return 0


@click.command("show")
@click.argument("name")
@catalog_option
@json_option
def show_command(places: Places, name: str, as_json: bool) -> int:
    """Show one case: its claim, what is known of it, its page and its proof."""
    catalog, evidence = _load(places)
    case = catalog.find(name)
    output = ShowOutput(
        case=CaseOutput.of(case, _verdicts(catalog, case, evidence)),
        page=case.body.strip(),
        proof=case.proof.read_text(encoding="utf-8"),
        records=[record for key, record in sorted(evidence.items()) if key[0] == case.name],
    )
    if as_json:
        print_json(output)
        return 0
    _print_case(case, output)
    return 0


@click.command("status")
@catalog_option
@json_option
def status_command(places: Places, as_json: bool) -> int:
    """Show the matrix of cases and columns, and how much of CUDA is decided."""
    catalog, evidence = _load(places)
    columns = sorted({column for _, column in evidence})
    live = [case for case in catalog.cases if not case.retired]
    cases = [CaseOutput.of(case, _verdicts(catalog, case, evidence)) for case in live]
    output = StatusOutput(columns=columns, cases=cases, cuda=_coverage(catalog, live, evidence))
    if as_json:
        print_json(output)
    else:
        _print_matrix(output)
    return 0


def _load(places: Places) -> tuple[Catalog, Evidence]:
    return load_catalog(places.catalog), load_evidence(places.committed, places.local)


def _verdicts(catalog: Catalog, case: Case, evidence: Evidence) -> dict[str, str]:
    """The case's verdict per column, marked where it is stale."""
    mine = {
        column: record for (name, column), record in sorted(evidence.items()) if name == case.name
    }
    return {
        column: record.verdict + ("" if is_current(case, record, catalog.root) else " (stale)")
        for column, record in mine.items()
    }


def _coverage(catalog: Catalog, cases: list[Case], evidence: Evidence) -> CudaCoverage:
    meaningful = [case for case in cases if "cuda" in case.meta.devices]

    def decides(case: Case, record: Record) -> bool:
        return (
            record.case == case.name
            and record.fingerprint.device == "cuda"
            and record.verdict in DECIDED
            and is_current(case, record, catalog.root)
        )

    decided = [c for c in meaningful if any(decides(c, record) for record in evidence.values())]
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
    click.echo(f"\n{output.page}\n\n--- {case.proof.name}\n{output.proof.rstrip()}")


def _print_matrix(output: StatusOutput) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table("case", *output.columns, box=box.SIMPLE_HEAD)
    for case in output.cases:
        table.add_row(case.name, *(case.verdicts.get(c, "undecided") for c in output.columns))
    console = Console(file=sys.stdout, highlight=False)
    # A pipe has no width; rich would cut the names to fit 80 columns.
    console.print(table, width=None if console.is_terminal else 40 + 30 * (1 + len(output.columns)))
    cuda = output.cuda
    print(f"CUDA: {cuda.decided} of {cuda.meaningful} claims with a meaning there are decided.")
