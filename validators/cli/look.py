"""`list` and `status`: show cases and what is known of them; nothing runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from validators.catalog import Case
from validators.cli.known import Known, load_known
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.tables import print_table
from validators.errors import Problem
from validators.evidence.status import State, open_devices

if TYPE_CHECKING:
    from validators.cli.output import CudaCoverage, StatusOutput


@click.command("list")
@catalog_option
@json_option
def list_command(places: Places, as_json: bool) -> int:
    """List all cases with their verdicts, one per line."""
    known = load_known(places)
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


@click.command("status")
@catalog_option
@json_option
def status_command(places: Places, as_json: bool) -> int:
    """Show the matrix of cases and columns, and how many CUDA claims are decided."""
    from validators.cli.output import CaseOutput, StatusOutput, print_json

    known = load_known(places)
    _report(known.problems)
    live = [case for case in known.cases if not case.retired]
    cases = [CaseOutput.of(case, known.verdicts(case)) for case in live]
    output = StatusOutput(columns=list(known.columns), cases=cases, cuda=_coverage(live, known))
    if as_json:
        print_json(output)
    else:
        _print_matrix(output)
    return _exit_status(known.problems)


def _report(problems: list[Problem]) -> None:
    for problem in problems:
        click.echo(f"Error: {problem}", err=True)


def _exit_status(problems: list[Problem]) -> int:
    """The exit status of a command that showed everything except what has `problems`."""
    return 2 if problems else 0


def _coverage(cases: list[Case], known: Known) -> CudaCoverage:
    from validators.cli.output import CudaCoverage

    meaningful = [case for case in cases if "cuda" in case.meta.devices]
    left = 0
    for case in meaningful:
        states: dict[str, State] = {c: it.state for c, it in known.statuses[case.name].items()}
        left += "cuda" in open_devices(case, states)
    return CudaCoverage(meaningful=len(meaningful), decided=len(meaningful) - left)


def _print_matrix(output: StatusOutput) -> None:
    rows = [
        (case.name, *(case.verdicts.get(column, "undecided") for column in output.columns))
        for case in output.cases
    ]
    print_table(("case", *output.columns), rows)
    cuda = output.cuda
    print(f"CUDA: {cuda.decided} of {cuda.meaningful} claims that apply there are decided.")
