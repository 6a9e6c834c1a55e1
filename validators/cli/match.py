"""`match`: from a query or a log to the cases that answer it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from validators.cli.output import print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.errors import printable
from validators.families import Family, load_families, recorded_releases, span
from validators.match import GUESSES, LEARN_MORE, NOTHING, REGISTRY, lines_of
from validators.match.knowing import knowledge_of
from validators.match.results import MatchOutput, matched
from validators.repository import Repository

_LINES_SHOWN = 3
_HINTS = 2
_WIDTH = 160


@click.command("match")
@click.argument("text", nargs=-1, required=True, metavar="FILE|QUERY")
@catalog_option
@json_option
def match_command(places: Places, text: Sequence[str], as_json: bool) -> int:
    """Name the cases that answer a query, or explain a log or a traceback.

    A file that exists is read, and - is standard input. Anything else is the query: words, a
    case's name, an id such as GB0170, an option or function of torch.

    Exit status: 0 it names a case, 1 it names none.
    """
    repository = Repository(places.catalog, [places.local])
    for problem in repository.catalog.problems:
        click.echo(f"Error: {problem}", err=True)
    answer = matched(knowledge_of(repository), lines_of(" ".join(text)))
    if as_json:
        print_json(answer)
    else:
        for line in _of_messages(answer.unexplained, repository):
            click.echo(line)
        _print(answer)
    return 0 if answer.matches else 1


def _of_messages(names: Sequence[str], repository: Repository) -> Iterator[str]:
    """What is known of graph breaks that no case is about: torch's own words."""
    families = load_families(repository.playbooks) if names else []
    known = {it.key: it for it in families if it.kind == "graph_break"}
    recorded = recorded_releases(repository.playbooks) if names else ()
    for name in names:
        if name in known:
            yield _told(known[name], recorded)
        else:
            yield f"No case is about {name}; PyTorch's page: {REGISTRY.format(name.lower())}"


def _told(it: Family, recorded: Sequence[str]) -> str:
    releases = span(it.releases, recorded) or "none that we read"
    lines = [f"No case is about {it.key}: {it.title} (printed by torch {releases})"]
    said = it.newest
    lines += [f"Explanation: {said.explanation}"] if said.explanation else []
    lines += [f"Hint: {hint}" for hint in said.hints[:_HINTS]]
    lines.append(f"More: python -m validators families {it.key}")
    return "\n   ".join(printable(" ".join(line.split())) for line in lines)


def _print(found: MatchOutput) -> None:
    results = found.matches
    if found.heading and not (found.heading == NOTHING and found.unexplained):
        click.echo(found.heading)
    for rank, result in enumerate(results, 1):
        by = "" if result.lines or found.query else ", by its words alone"
        click.echo(f"{rank}. {result.case} (score {result.score}{by}): {printable(result.title)}")
        click.echo(f"   {printable(result.summary)}")
        for it in result.lines[:_LINES_SHOWN]:
            click.echo(f"   line {it.line}: {printable(it.text.strip()[:_WIDTH])}")
        if result.fix:
            click.echo(f"   fix: {printable(result.fix)}")
        if result.there:
            click.echo(f"   there: {result.there}")
    if found.heading in (NOTHING, GUESSES):
        click.echo(LEARN_MORE)
    if results:
        click.echo(f"More: python -m validators show {results[0].case}")
