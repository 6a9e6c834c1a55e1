"""`patch`: mechanical fixes of a user's model as a diff, each verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from validators.cli.output import print_json
from validators.cli.places import (
    Places,
    catalog_option,
    compile_options,
    json_option,
    target_options,
)
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.run import Plan
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.errors import printable
from validators.knowing.knowledge import knowledge_of
from validators.patch.editing.changes import Change, texts
from validators.patch.results import Patch, Written
from validators.patch.rules import RULES
from validators.patch.run import PARTS, patched
from validators.patch.writing import write
from validators.repository import Repository


@click.command("patch")
@click.argument("target")
@target_options
@click.option("--write", "writes", is_flag=True, help="Change the files; keep FILE.orig of each.")
@click.option("--only", multiple=True, type=click.Choice([*RULES]), help="Apply only this rule.")
@click.option("--backend", help="The backend, instead of each part's own.")
@catalog_option
@json_option
def patch_command(
    places: Places,
    target: str,
    python: str,
    device: str,
    writes: bool,
    only: tuple[str, ...],
    backend: str | None,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    as_json: bool,
) -> int:
    """Offer the fixes of a model that are mechanical, as a diff, each proved by verify-fix.

    TARGET is as for `diagnose`. Each change is verified by itself, then all at once, in copies of
    the files. What verify-fix refuses is not offered. Nothing is written without --write.
    The output can be piped to `patch -p1` or `git apply`.

    Calls decide: verify-fix does not see a side of a branch that no call takes.

    For example: python -m validators patch model.py:example --write

    Exit status: 0 no change is refused, 1 a change is refused, 2 the target cannot be used or a
    file cannot be changed, 3 the diagnosis gave no graph breaks.
    """
    spec = parse_spec(target, Path.cwd())
    env = describe(python, device)
    options = compile_options(backend=backend, mode=mode, dynamic=dynamic)
    knowledge = knowledge_of(Repository(places.catalog, [places.local]))
    explainer = Explainer(knowledge, env.column, env.fingerprint.torch)
    plan = Plan(spec, PARTS, options, timeout)
    rules = [it for it in RULES if it in only or not only]
    found, accepted = patched(plan, env, explainer, rules, _tell)
    if writes:
        found.written = _written(accepted)
    if as_json:
        print_json(found)
    else:
        for line in _lines(found):
            click.echo(printable(line))
        click.echo(found.diff, nl=False)
    if found.failure:
        return 3
    return int(any(it.refused for it in found.changes))


def _written(changes: Sequence[Change]) -> list[Written]:
    before = {it.source.file: it.source.module.bytes for it in changes}
    backups = write({file: (before[file], after) for file, after in texts(changes).items()})
    return [Written(file=file.name, backup=it.name) for file, it in backups.items()]


def _tell(text: str) -> None:
    click.echo(printable(text), err=True)


def _lines(found: Patch) -> Iterator[str]:
    for it in found.changes:
        said = "; ".join(it.refused or it.better)
        verdict = "REFUSED" if it.refused else "verified"
        yield f"{it.place}: {it.what} ({it.case}): {verdict}: {said}"
    for left in found.left:
        yield f"{left.place}: left as it is ({left.rule}): {left.reason}"
    for advice in found.advice:
        place = f"{advice.place}: " if advice.place else ""
        yield f"{place}advice, not verified ({advice.case}): {advice.text}"
    if found.together:
        yield f"All together: verified: {'; '.join(found.together.better)}"
    elif not found.changes:
        yield "Nothing here has a mechanical fix."
    for file in found.written:
        yield f"Changed: {file.file}; the original is {file.backup}"
    if found.failure:
        yield f"The part breaks of the diagnosis gave no result: {found.failure}"
