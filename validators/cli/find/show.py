"""`show`: one case as a reader wants it; nothing runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from validators.catalog import Case
from validators.catalog.casebook import load_casebook
from validators.catalog.lookup import break_id, load_case, load_cases_about
from validators.cli.completion import case_names
from validators.cli.find.known import status_line, statuses_of, word_of
from validators.cli.places import Places, catalog_option, json_option
from validators.cli.screen import pager_option, print_lines, prose_width
from validators.errors import CasebookError, Problem
from validators.files import read_file

if TYPE_CHECKING:
    from validators.cli.output import ShowOutput

_SILENT = "silent:"


@click.command("show")
@click.argument("name", shell_complete=case_names)
@pager_option
@catalog_option
@json_option
def show_command(places: Places, name: str, pager: bool, as_json: bool) -> int:
    """Show one case: what happens, the fix, its page, its verdicts and its proof.

    NAME is a case's name or alias, with hyphens or underscores, or the id of a graph break. If
    several cases are about that graph break, they are listed. silent:NAME shows the program of an
    error without a message.

    For example: python -m validators show GB0170
    """
    if name.startswith(_SILENT):
        return _show_silent(places, name.removeprefix(_SILENT), pager, as_json)
    cases = _named(places, name)
    if len(cases) > 1 and as_json:
        names = ", ".join(case.name for case in cases)
        raise CasebookError(f"--json: {len(cases)} cases are about {name}; name one of {names}")
    if len(cases) > 1:
        from validators.cli.find.case_text import choice_lines

        print_lines([*choice_lines(break_id(name), cases, prose_width())], pager)
        return 0
    return _show(places, cases[0], pager, as_json)


def _show_silent(places: Places, name: str, pager: bool, as_json: bool) -> int:
    from validators.cli.output import print_json
    from validators.silent.collection import load_known

    known = {error.name: error for error in load_known(places.playbooks)}
    if name not in known:
        message = f"{places.playbooks / 'silent'}: holds no recorded program {name!r}"
        raise CasebookError(f"{message}; `match` finds programs by what is wrong")
    error = known[name]
    if as_json:
        print_json(error)
        return 0
    fix = error.avoid or "no workaround was seen to help"
    lines = [error.says, f"fix: {fix}", f"cause: {error.cause}"]
    lines += [f"issue: {error.issue}"] if error.issue else []
    lines += [
        f"{verdict}: torch {', '.join(error.releases(verdict))}"
        for verdict in dict.fromkeys(error.verdicts.values())
    ]
    print_lines([[(text, "")] for text in [*lines, "", *error.code.splitlines()]], pager)
    return 0


def _named(places: Places, name: str) -> list[Case]:
    """The cases that `name` stands for.

    Raises:
        CasebookError: there is none.
    """
    graph_break = break_id(name)
    if not graph_break:
        return [load_case(places.catalog, name)]
    if cases := load_cases_about(places.catalog, graph_break):
        return cases
    from validators.match import REGISTRY

    page = REGISTRY.format(graph_break.lower())
    raise CasebookError(f"{places.catalog}: no case is about {graph_break}; see PyTorch's {page}")


def _show(places: Places, case: Case, pager: bool, as_json: bool) -> int:
    """Show a case; exit status 2 if some of its evidence cannot be read."""
    damaged: list[Problem] = []
    if as_json:
        from validators.cli.output import print_json

        print_json(shown(places, case, damaged))
    else:
        from validators.cli.find.case_text import case_lines

        statuses, _ = statuses_of(places, case, damaged)
        known = status_line(case, statuses, load_casebook(places.catalog)[0].releases)
        print_lines([*case_lines(case, statuses, known, _proof(case), prose_width())], pager)
    for problem in damaged:
        click.echo(f"Error: {problem}", err=True)
    return 2 if damaged else 0


def shown(places: Places, case: Case, damaged: list[Problem]) -> ShowOutput:
    """What is known of a case; damaged files of evidence are added to `damaged`."""
    from validators.cli.output import CaseOutput, RecordOutput, ShowOutput

    statuses, records = statuses_of(places, case, damaged)
    words = {column: word_of(status) for column, status in statuses.items()}
    return ShowOutput(
        case=CaseOutput.of(case, words),
        page=case.body.strip(),
        proof=_proof(case),
        records=[RecordOutput.of(record) for record in records],
    )


def _proof(case: Case) -> str:
    return read_file(case.proof).decode("utf-8", "replace")
