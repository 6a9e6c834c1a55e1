"""`list` and `status`: show cases and what is known of them; nothing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from validators.catalog import Case
from validators.cli.find.filters import Filters, filter_options
from validators.cli.find.known import UNTRIED, Known, effects_of, load_known, said_of
from validators.cli.find.rows import matrix, with_titles
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.screen import on_terminal, pager_option, print_lines, terminal_width
from validators.evidence.coverage import Coverage, coverage
from validators.evidence.status import Status
from validators.evidence.words import Effect, effect_of
from validators.styled import DIM, NAME, TONES, Line, Span, coded


@click.command("list")
@filter_options
@pager_option
@catalog_option
@json_option
def list_command(places: Places, filters: Filters, pager: bool, as_json: bool) -> int:
    """List all cases with their verdicts, one per line.

    Filters combine; a repeated one means either value.

    For example: python -m validators list --area graph_breaks --severity high --grep "print"
    """
    known = load_known(places)
    chosen = filters.of(known)
    if as_json:
        from validators.cli.output import CaseOutput, ListOutput, ProblemOutput, print_json

        problems = [ProblemOutput.of(problem) for problem in known.problems]
        cases = [CaseOutput.of(case, chosen.verdicts(case)) for case in chosen.cases]
        print_json(ListOutput(cases=cases, problems=problems))
    else:
        rows = [_row(case, chosen) for case in chosen.cases]
        titles = [coded(case.title) for case in chosen.cases]
        lines = with_titles(rows, titles, terminal_width())
        print_lines([*lines, *_count(chosen, known)] if on_terminal() else lines, pager)
        _report(known)
    return _exit_status(known)


@click.command("status")
@filter_options
@pager_option
@catalog_option
@json_option
def status_command(places: Places, filters: Filters, pager: bool, as_json: bool) -> int:
    """Show the matrix of cases and columns, and what the claims about CUDA rest on.

    Filters combine; a repeated one means either value.

    For example: python -m validators status --torch 2.13 --status refuted
    """
    known = load_known(places)
    chosen = filters.of(known)
    live = [case for case in chosen.cases if not case.retired]
    cuda = _coverage(live, chosen)
    if as_json:
        from validators.cli.output import CaseOutput, StatusOutput, print_json

        cases = [CaseOutput.of(case, chosen.verdicts(case)) for case in live]
        print_json(StatusOutput(columns=list(chosen.columns), cases=cases, cuda=cuda))
    else:
        said = f"CUDA: of {cuda.claims} claims that apply there, {cuda.told}."
        print_lines([*_matrix(live, chosen), [(said, "")]], pager)
    _report(known)
    return _exit_status(known)


def _report(known: Known) -> None:
    for problem in known.problems:
        click.echo(f"Error: {problem}", err=True)


def _exit_status(known: Known) -> int:
    """The exit status of a command that showed everything except what has problems."""
    return 2 if known.problems else 0


def _row(case: Case, known: Known) -> Line:
    statuses = known.statuses[case.name]
    said = {*_said(case, statuses, effects_of(case, statuses)).values()} or {UNTRIED}
    status = min(said)
    if case.retired or len(said) > 1:
        status = (case.retired or "; ".join(sorted({text for text, _ in said})), "yellow")
    return [(case.name, NAME), (case.area, ""), (case.meta.kind, ""), status]


def _said(
    case: Case, statuses: Mapping[str, Status], effects: Mapping[str, Effect]
) -> dict[str, Span]:
    """What is known of a case in words, by column."""
    return {column: said_of(case, it, effects[column]) for column, it in statuses.items()}


def _count(chosen: Known, known: Known) -> list[Line]:
    """How many cases fit, for a person to read."""
    of = f" of {len(known.cases)}" if len(chosen.cases) < len(known.cases) else ""
    return [[(f"{len(chosen.cases)}{of} cases", DIM)]]


def _matrix(cases: Sequence[Case], known: Known) -> list[Line]:
    rows: list[Line] = []
    short: list[Line] = []
    signs: dict[str, dict[str, None]] = {}
    for case in cases:
        statuses = known.statuses[case.name]
        effects = effects_of(case, statuses)
        said, untried = _said(case, statuses, effects), effect_of(case.meta.kind, "undecided")
        rows.append([(case.name, NAME), *(said.get(column, UNTRIED) for column in known.columns)])
        row = [effects.get(column, untried) for column in known.columns]
        short.append([(case.name, NAME), *((e.symbol, TONES[e.tone]) for e in row)])
        for effect in row:
            signs.setdefault(effect.symbol, {})[effect.brief] = None
    titles = [coded(case.title) for case in cases]
    legend = "  ".join(f"{symbol} {' or '.join(words)}" for symbol, words in signs.items())
    return matrix(known.columns, rows, short, titles, legend, terminal_width())


def _coverage(cases: Sequence[Case], known: Known) -> Coverage:
    """What the claims that apply to CUDA rest on."""
    statuses = ((case, known.statuses[case.name]) for case in cases)
    return coverage((case, {c: it.state for c, it in found.items()}) for case, found in statuses)
