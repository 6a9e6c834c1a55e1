"""`scan`: where a user's model is compiled to something else than it says, silently."""

from __future__ import annotations

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
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.errors import printable
from validators.silent.collection import load_known
from validators.silent.scan import lines, scanned, upgraded


@click.command("scan")
@click.argument("target")
@target_options
@click.option("--upgrade", metavar="P", help="Also scan on this interpreter's torch.")
@catalog_option
@json_option
def scan_command(
    target: str,
    places: Places,
    python: str,
    device: str,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    upgrade: str | None,
    as_json: bool,
) -> int:
    """Find silent errors in a model: compiled code that is wrong, and says nothing.

    TARGET is as for `diagnose`. Its calls are compared with eager mode's: traced, and compiled by
    Inductor, with float64 as the judge of rounding. What differs is shortened to the fewest ops
    that are wrong where only they are compiled, and named by the collection of silent errors: since
    when and until when it is wrong, and what avoids it. --upgrade says which errors are right on
    another release, and which are new there.

    For example: python -m validators scan model.py:example

    Exit status: 0 nothing is wrong, 1 something is wrong or undecided, 2 it cannot be run.
    """
    options = compile_options(mode=mode, dynamic=dynamic)
    spec = parse_spec(target, Path.cwd())
    known = load_known(places.playbooks)
    scan = scanned(describe(python, device), options, timeout, spec, known)
    if upgrade:
        scan = upgraded(scan, scanned(describe(upgrade, device), options, timeout, spec, known))
    if as_json:
        print_json(scan)
    else:
        for line in lines(scan):
            click.echo(printable(line))
    return int(bool(scan.wrong or scan.undecided))
