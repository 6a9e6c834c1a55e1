"""`repro`: a minimal script for an upstream issue."""

from __future__ import annotations

from collections.abc import Iterator
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
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.errors import printable
from validators.knowing.knowledge import knowledge_of
from validators.repository import Repository
from validators.repro.goal import KINDS
from validators.repro.result import Reproduction
from validators.repro.run import Order, reproduced


@click.command("repro")
@click.argument("target")
@target_options
@click.option("--finding", type=int, metavar="N", help="The finding that `diagnose` numbers N.")
@click.option("--kind", type=click.Choice(KINDS), help="The first failure of this kind.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("repro"),
    show_default=True,
    help="The folder to write.",
)
@catalog_option
@json_option
def repro_command(
    places: Places,
    target: str,
    python: str,
    device: str,
    finding: int | None,
    kind: str | None,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    out: Path,
    as_json: bool,
) -> int:
    """Write a minimal script for an upstream issue, and check that it fails in the same way.

    TARGET is as for `diagnose`. The first failure that matters (a crash of the compiler, wrong
    results, a graph break, a recompile) is made smaller: by backend, by calls, by submodules. Each
    try is a process of its own, with the time limit `--timeout`. What the target reads from its own
    folder is copied, but for hidden files, secrets, and what is too large. The script ends with 1
    while it fails, 0 when it does not any more, 125 if that cannot be decided.

    For example: python -m validators repro model.py:example --out repro

    Exit status: 0 nothing fails, 1 a script was written that fails in the same way, 2 the target
    cannot be used, 3 no script fails in the same way.
    """
    spec = parse_spec(target, Path.cwd())
    env = describe(python, device)
    repository = Repository(places.catalog, [places.local])
    explainer = Explainer(knowledge_of(repository), env.column, env.fingerprint.torch)
    options = compile_options(mode=mode, dynamic=dynamic)
    order = Order(spec, finding, kind, out, options, timeout)
    found = reproduced(order, env, explainer, _tell)
    if as_json:
        print_json(found)
    else:
        for line in _lines(found, kind):
            click.echo(printable(line))
    if found.finding is None:
        return 0
    return 1 if found.checked else 3


def _tell(line: str) -> None:
    click.echo(printable(line), err=True)


def _lines(found: Reproduction, kind: str | None) -> Iterator[str]:
    if found.finding is None:
        wanted = f"no {kind} was found" if kind else "no crash, wrong result, break or recompile"
        yield f"nothing fails: {wanted}"
        return
    yield f"{found.target} on torch {found.torch}: {found.finding.what}"
    if found.part is None:
        yield "Nothing was written: run once more, the target does not fail as in the diagnosis."
        return
    part = f"submodule {found.part.path}" if found.part.path else "the whole target"
    yield f"smallest part that fails: {part} ({found.type}), with the backend {found.part.backend}"
    yield f"the script has {found.form}"
    if not found.files:
        yield "Nothing was written: no script can hold this target."
        return
    for it in found.left_out:
        yield f"not copied: {it}"
    fails = "fails in the same way" if found.checked else "does NOT fail in the same way"
    yield f"In a clean folder, the script {fails}."
    yield f"Written: {found.folder}/ ({', '.join(found.files)})"
