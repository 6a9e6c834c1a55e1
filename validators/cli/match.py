"""`match`: from a log to the cases that explain it."""

from __future__ import annotations

from typing import BinaryIO

import click

from validators.cli.output import print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.errors import printable
from validators.match import GUESSES, LEARN_MORE, NOTHING, REGISTRY, read_lines
from validators.match.knowing import knowledge_of
from validators.match.results import MatchOutput, matched
from validators.repository import Repository

_LINES_SHOWN = 3
_WIDTH = 160


@click.command("match")
@click.argument("file", type=click.File("rb"))
@catalog_option
@json_option
def match_command(places: Places, file: BinaryIO, as_json: bool) -> int:
    """Name the cases that explain a log, a traceback or a sentence.

    FILE may be - for standard input.

    Exit status: 0 it names a case, 1 it names none.
    """
    repository = Repository(places.catalog, [places.local])
    for problem in repository.catalog.problems:
        click.echo(f"Error: {problem}", err=True)
    answer = matched(knowledge_of(repository), read_lines(file))
    if as_json:
        print_json(answer)
    else:
        _print(answer)
    return 0 if answer.matches else 1


def _print(found: MatchOutput) -> None:
    results = found.matches
    for name in found.unexplained:
        click.echo(f"No case is about {name}; PyTorch's page: {REGISTRY.format(name.lower())}")
    known = bool(results and results[0].lines)
    if not known:
        click.echo(GUESSES if results else NOTHING)
    for rank, result in enumerate(results, 1):
        by = "" if result.lines else ", by its words alone"
        click.echo(f"{rank}. {result.case} (score {result.score}{by}): {printable(result.title)}")
        click.echo(f"   {printable(result.summary)}")
        for it in result.lines[:_LINES_SHOWN]:
            click.echo(f"   line {it.line}: {printable(it.text.strip()[:_WIDTH])}")
        if result.fix:
            click.echo(f"   fix: {printable(result.fix)}")
        if result.there:
            click.echo(f"   there: {result.there}")
    if not known:
        click.echo(LEARN_MORE)
    if results:
        click.echo(f"More: python -m validators show {results[0].case}")
