"""`match`: from a query or a log to the cases that answer it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import click

from validators.cli.output import print_json
from validators.cli.places import Places, catalog_option, json_option
from validators.environment.column_name import span
from validators.errors import printable
from validators.families import Family, load_families, recorded_releases
from validators.files import PROGRAM
from validators.knowing.knowledge import knowledge_of
from validators.match import REGISTRY, lines_of
from validators.match.results import CauseResult, MatchOutput, MatchResult, matched
from validators.repository import Repository

_LISTED = re.compile(r"-+\s")
_LINES_SHOWN = 3
_HINTS = 2
_WIDTH = 160
_CAUSES_SHOWN = 20
_BY = {"words": ", by its words alone", "family": ", by a line that its sisters print, too"}


class _Pasted(click.Command):
    """Takes a line of a list, which begins with a dash and a space, for text and no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {it}" if _LISTED.match(it) else it for it in args])


@click.command("match", cls=_Pasted)
@click.argument("text", nargs=-1, required=True, metavar="FILE|QUERY")
@catalog_option
@json_option
def match_command(places: Places, text: Sequence[str], as_json: bool) -> int:
    """Name the cases that answer a query, or explain a log or a traceback.

    A log is told cause by cause, the costliest first, with how often each occurs.

    A file that exists is read, and - is standard input. Anything else is the query: words, a
    case's name, an id such as GB0170, an option or function of torch.

    For example: python -m validators match compile.log

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
    return 0 if answer.matches or answer.causes else 1


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
    lines.append(f"More: {PROGRAM} families {it.key}")
    return "\n   ".join(printable(" ".join(line.split())) for line in lines)


def _print(found: MatchOutput) -> None:
    for line in _of_causes(found.causes):
        click.echo(line)
    if found.heading:
        click.echo(found.heading)
    known = {name for it in found.causes for name in it.cases}
    for rank, result in enumerate(found.matches, 1):
        for line in _of_result(rank, result, found, known):
            click.echo(line)
    for note in found.notes:
        click.echo(printable(note))
    if found.sure and ":" not in found.matches[0].case:
        click.echo(f"More: {PROGRAM} show {found.matches[0].case}")


def _of_causes(causes: Sequence[CauseResult]) -> Iterator[str]:
    """A row for each cause of a log, with what it may be."""
    if causes:
        yield f"{len(causes)} cause{'s' if len(causes) > 1 else ''}, the costliest first:"
    for it in causes[:_CAUSES_SHOWN]:
        times = f" x{it.count}" if it.count > 1 else ""
        ranks = f" on {it.ranks} ranks" if it.ranks > 1 else ""
        place = f" at {it.place}" if it.place else f" in line {it.line}"
        own = f" (your line: {it.own})" if it.own else ""
        yield printable(f"- {it.happened}{times}{ranks}{place}{own}: {it.reason[:_WIDTH]}")
        if it.cases:
            yield f"    case: {', '.join(it.cases)}"
        for family in it.families[: 1 if it.cases else 2]:
            yield printable(f"    family: {family.key}, {family.title[:_WIDTH]}")
        if not it.cases:
            yield from _of_possible(it)
    if len(causes) > _CAUSES_SHOWN:
        yield f"- and {len(causes) - _CAUSES_SHOWN} more; `--json` has all"


def _of_possible(it: CauseResult) -> Iterator[str]:
    """What a line says that only names a family."""
    if it.possible:
        yield f"    one of its known causes, or another: {', '.join(it.possible)}"
    else:
        yield "    the catalog knows no cause of it"
    if it.families:
        yield f"    to tell them apart: {PROGRAM} families {it.families[0].key}"


def _of_result(
    rank: int, result: MatchResult, found: MatchOutput, known: Collection[str]
) -> Iterator[str]:
    """A page that answers."""
    by = _BY.get(result.by, "") if not found.query else ""
    yield f"{rank}. {result.case} (score {result.score}{by}): {printable(result.title)}"
    if result.summary:
        yield f"   {printable(result.summary)}"
    for step in result.steps:
        yield f"   - {printable(step)}"
    for it in result.lines[: 1 if result.case in known else _LINES_SHOWN]:
        yield f"   line {it.line}: {printable(it.text.strip()[:_WIDTH])}"
    if result.fix:
        yield f"   fix: {printable(result.fix)}"
    if result.there:
        yield f"   there: {result.there}"
