"""`match`: from a log to the cases that explain it."""

from __future__ import annotations

from typing import BinaryIO

import click

from validators.catalog import load_catalog
from validators.cli.output import MatchedLine, MatchOutput, MatchResult, print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.errors import printable
from validators.evidence.known import load_known
from validators.match import Found, build_index, read_lines, search
from validators.match.remedy import remedy_line, there

_LEARN_MORE = (
    "Nothing known. To learn more, run a few steps with "
    'TORCH_LOGS="graph_breaks,recompiles,cudagraphs" and match what they print.'
)
_LINES_SHOWN = 3
_WIDTH = 160


@click.command("match")
@click.argument("file", type=click.File("rb"))
@catalog_option
@json_option
def match_command(places: Places, file: BinaryIO, as_json: bool) -> int:
    """Name the cases that explain a log, a traceback or a sentence.

    FILE may be - for what is piped in.

    Exit status: 0 something is known, 1 nothing is.
    """
    catalog = load_catalog(places.catalog)
    found = search(build_index(catalog), read_lines(file))
    records = load_known(places.committed, places.local, damaged=[]) if found.matches else {}
    results = []
    for match in found.matches:
        case = catalog.by_name[match.case]
        results.append(
            MatchResult(
                case=case.name,
                title=case.title,
                score=match.score,
                lines=[MatchedLine(line=it.number, text=it.text) for it in match.lines],
                remedy=remedy_line(case),
                there=there(case, found.torch, records.get(case.name, {}).values()),
            )
        )
    if as_json:
        print_json(MatchOutput(torch=found.torch, matches=results))
    else:
        _print(found, results)
    return 0 if results else 1


def _print(found: Found, results: list[MatchResult]) -> None:
    if not results:
        click.echo(_LEARN_MORE)
    for rank, result in enumerate(results, 1):
        click.echo(f"{rank}. {result.case} (score {result.score}): {printable(result.title)}")
        for it in result.lines[:_LINES_SHOWN]:
            click.echo(f"   line {it.line}: {printable(it.text.strip()[:_WIDTH])}")
        click.echo(f"   remedy: {printable(result.remedy)}")
        if result.there:
            click.echo(f"   there: {result.there}")
    if results:
        click.echo(f"More: python -m validators show {results[0].case}")
