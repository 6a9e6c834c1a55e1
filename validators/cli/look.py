"""`list`, `show` and `status`: show cases and what is known of them; nothing runs."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from validators.catalog import Case
from validators.catalog.lookup import load_case
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.tables import print_table
from validators.environment.column_name import by_release
from validators.errors import Problem, printable
from validators.evidence import Freshness, load_records, overlaid
from validators.evidence.examples import load_example, overlaid_examples, run_on
from validators.evidence.status import State, Status, open_devices, status_on
from validators.files import read_file
from validators.repository import Repository

if TYPE_CHECKING:
    from validators.cli.output import CudaCoverage, ShowOutput, StatusOutput


@dataclass(frozen=True)
class _Known:
    """The live and retired cases with what is known of them, by name and column."""

    cases: tuple[Case, ...]
    statuses: dict[str, dict[str, Status]]
    problems: list[Problem]

    def verdicts(self, case: Case) -> dict[str, str]:
        """The case's verdict per column, marked if it is stale."""
        return {column: _word(it) for column, it in self.statuses[case.name].items()}


@click.command("list")
@catalog_option
@json_option
def list_command(places: Places, as_json: bool) -> int:
    """List all cases with their verdicts, one per line."""
    known = _load(places)
    if as_json:
        from validators.cli.output import CaseOutput, ListOutput, ProblemOutput, print_json

        problems = [ProblemOutput.of(problem) for problem in known.problems]
        cases = [CaseOutput.of(case, known.verdicts(case)) for case in known.cases]
        print_json(ListOutput(cases=cases, problems=problems))
        return _exit_status(known.problems)
    _report(known.problems)
    width = max((len(case.name) for case in known.cases), default=0)
    lines = []
    for case in known.cases:
        said = case.retired or ", ".join(sorted(set(known.verdicts(case).values()))) or "undecided"
        lines.append(f"{case.name:<{width}}  {case.area:<15} {case.meta.kind:<11} {said}\n")
    click.echo("".join(lines), nl=False)
    return _exit_status(known.problems)


@click.command("show")
@click.argument("name")
@catalog_option
@json_option
def show_command(places: Places, name: str, as_json: bool) -> int:
    """Show one case: its claim, its verdicts, its page and its proof."""
    from validators.cli.output import print_json

    case = load_case(places.catalog, name)
    damaged: list[Problem] = []
    output = shown(places, case, damaged)
    _report(damaged)
    if as_json:
        print_json(output)
    else:
        _print_case(case, output)
    return _exit_status(damaged)


def shown(places: Places, case: Case, damaged: list[Problem]) -> ShowOutput:
    """What is known of a case; damaged files of evidence are added to `damaged`."""
    from validators.cli.output import CaseOutput, RecordOutput, ShowOutput

    committed, local = (
        {(it.case, it.column): it for it in load_records(folder, case.name, damaged)}
        for folder in (places.committed, places.local)
    )
    freshness = Freshness(places.catalog)
    found = overlaid(committed, local, {case.name: case}, freshness).values()
    examples = overlaid_examples(
        load_example(places.committed, case.name, damaged),
        load_example(places.local, case.name, damaged),
        {case.name: case},
    )
    statuses = {
        it.column: status_on(case, it.column, it, freshness, run_on(examples, case.name, it.column))
        for it in found
    }
    words = {column: _word(status) for column, status in statuses.items()}
    return ShowOutput(
        case=CaseOutput.of(case, words),
        page=case.body.strip(),
        proof=read_file(case.proof).decode("utf-8", "replace"),
        records=[RecordOutput.of(record) for record in found],
    )


@click.command("status")
@catalog_option
@json_option
def status_command(places: Places, as_json: bool) -> int:
    """Show the matrix of cases and columns, and how many CUDA claims are decided."""
    from validators.cli.output import CaseOutput, StatusOutput, print_json

    known = _load(places)
    _report(known.problems)
    found = {column for statuses in known.statuses.values() for column in statuses}
    columns = sorted(found, key=by_release)
    live = [case for case in known.cases if not case.retired]
    cases = [CaseOutput.of(case, known.verdicts(case)) for case in live]
    output = StatusOutput(columns=columns, cases=cases, cuda=_coverage(live, known))
    if as_json:
        print_json(output)
    else:
        _print_matrix(output)
    return _exit_status(known.problems)


def _load(places: Places) -> _Known:
    """The cases, what is known of them, and what could not be read."""
    # The objects read here form no cycles, and searching them takes longer than reading them.
    gc.disable()
    repository = Repository(places.catalog, [places.local])
    catalog = repository.catalog
    statuses: dict[str, dict[str, Status]] = {case.name: {} for case in catalog.cases}
    for name, column in repository.evidence:
        if name in statuses:
            statuses[name][column] = repository.status_of(catalog.by_name[name], column)
    gc.freeze()
    return _Known(catalog.cases, statuses, [*catalog.problems, *repository.damaged])


def _report(problems: list[Problem]) -> None:
    for problem in problems:
        click.echo(f"Error: {problem}", err=True)


def _exit_status(problems: list[Problem]) -> int:
    """The exit status of a command that showed everything except what has `problems`."""
    return 2 if problems else 0


def _word(status: Status) -> str:
    if status.state == "na":
        return "not applicable"
    return f"{status.was} (stale)" if status.was else status.state


def _coverage(cases: list[Case], known: _Known) -> CudaCoverage:
    from validators.cli.output import CudaCoverage

    meaningful = [case for case in cases if "cuda" in case.meta.devices]
    left = 0
    for case in meaningful:
        states: dict[str, State] = {c: it.state for c, it in known.statuses[case.name].items()}
        left += "cuda" in open_devices(case, states)
    return CudaCoverage(meaningful=len(meaningful), decided=len(meaningful) - left)


def _print_case(case: Case, output: ShowOutput) -> None:
    click.echo(f"{case.name} ({case.meta.kind}, {case.area})")
    click.echo(f"\n{case.title}\n{case.summary}")
    if case.fix:
        click.echo(f"fix: {case.fix}")
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
    print(f"CUDA: {cuda.decided} of {cuda.meaningful} claims that apply there are decided.")
