"""`check`: reads everything, runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from validators.checks import check_all, fix_holds, fix_prose, in_order
from validators.checks.families import check_headers
from validators.checks.judged import Judgement, judge
from validators.cli.output import CheckOutput, ProblemOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.cli.progress import track
from validators.match.making.scores import Scores
from validators.repository import Repository
from validators.skillpack.check import check_looking_up


@click.command("check")
@click.option("--fix", is_flag=True, help="First update figures, tables and `holds`.")
@click.option("--families", is_flag=True, help="Also find signatures that fit a whole family.")
@click.option("--match", is_flag=True, help="Also judge what `match` answers; --fix records it.")
@click.option("--skills", is_flag=True, help="Also look each case up in the skills, as agents do.")
@checkout_option
@json_option
def check_command(
    places: Places, fix: bool, families: bool, match: bool, skills: bool, as_json: bool
) -> int:
    """Find defects in pages, proofs, citations, figures, logs, sources, skills and evidence.

    For example: python -m validators check --match --skills
    """
    fixed = _fixed(places) if fix else []
    repository = Repository(places.catalog, whole=True)
    with track("all files", quiet=as_json) as items:
        found = check_all(repository)
        judgement = judge(repository, fix=fix, track=items) if match else Judgement()
        looked_up = [*check_looking_up(repository, items)] if skills else []
    more = check_headers(repository) if families else ()
    problems = in_order([*found.problems, *judgement.problems, *looked_up, *more])
    output = CheckOutput(
        checked=found.checked | judgement.judged,
        problems=[ProblemOutput.of(problem) for problem in problems],
        fixed=[str(path) for path in (*fixed, *judgement.recorded)],
        scores=judgement.scores if match else None,
    )
    if as_json:
        print_json(output)
    else:
        updated = [f"updated {path}" for path in fixed]
        updated += [f"recorded {path}" for path in judgement.recorded]
        read = ", ".join(f"{count} {kind}" for kind, count in output.checked.items())
        last = f"{len(problems)} problems in {read}"
        for line in (*updated, *problems, *_sentences(judgement.scores), last):
            click.echo(str(line))
    return 2 if problems else 0


def _fixed(places: Places) -> list[Path]:
    """Update what programs can write in pages; return the changed files."""
    pages = fix_holds(Repository(places.catalog))
    return [*dict.fromkeys([*pages, *fix_prose(Repository(places.catalog))])]


def _sentences(scores: Scores) -> Iterator[str]:
    """Yield how well the search answers, a line for each part."""
    for part, logs in scores.logs.items():
        yield (
            f"logs, {part}: of {logs.with_case} with a case {logs.first} right first,"
            f" {logs.among_three} among three; {logs.silent} of {logs.unrelated} others without an"
            " answer"
        )
    for part, kinds in scores.queries.items():
        queries = sum(kind.queries for kind in kinds.values())
        first = sum(kind.first for kind in kinds.values())
        three = sum(kind.among_three for kind in kinds.values())
        yield f"queries, {part}: of {queries} {first} right first, {three} among three"
