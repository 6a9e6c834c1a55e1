"""`verify-fix`: whether a change of a model fixes it, and computes the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from validators.cli.output import print_json
from validators.cli.places import json_option, target_options
from validators.diagnose.findings import Health, Verification
from validators.diagnose.spec import parse_spec
from validators.diagnose.verify import Fix, verified
from validators.environment import describe
from validators.errors import printable


@click.command("verify-fix")
@click.argument("before")
@click.argument("after")
@target_options
@json_option
def verify_fix_command(
    before: str,
    after: str,
    python: str,
    device: str,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    as_json: bool,
) -> int:
    """Say whether AFTER compiles better than BEFORE, and computes the same.

    Both are targets as for `diagnose`. AFTER gets the parameters and the calls of BEFORE, and more
    calls that follow from them: in reverse, with other values, with one row more. It runs compiled;
    BEFORE runs eagerly.

    For example: python -m validators verify-fix model.py:example fixed.py:example

    Exit status: 0 the fix is verified, 1 it is refused, 2 a target cannot be used.
    """
    here = Path.cwd()
    options = {"mode": mode, "dynamic": dynamic}
    given = {name: value for name, value in options.items() if value is not None}
    fix = Fix(parse_spec(before, here), parse_spec(after, here), given, timeout)
    found = verified(fix, describe(python, device))
    if as_json:
        print_json(found)
    else:
        for line in _lines(found):
            click.echo(printable(line))
    return int(bool(found.refused))


def _lines(found: Verification) -> Iterator[str]:
    yield f"before: {_health(found.before)}"
    yield f"after: {_health(found.after)}"
    yield f"compared over {found.calls} calls and {found.made_up} that follow from them"
    yield from (f"better: {it}" for it in found.better)
    yield from (f"refused: {it}" for it in found.refused)
    if not found.refused:
        yield "The fix is verified."


def _health(it: Health) -> str:
    if it.raised:
        return f"raises {it.raised}"
    said = f"{it.graphs} graphs, {it.breaks} graph breaks, {it.recompiles} recompiles"
    limits = f", {it.limits} limits reached" if it.limits else ""
    share = "" if it.compiled is None else f", {it.compiled:.1%} of the ops compiled"
    return said + limits + share
