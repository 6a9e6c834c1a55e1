"""`record`: everything that a new or changed case needs, in order."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from validators.cli.places import Places, checkout_option


@click.command("record")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@checkout_option
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="PATH",
    help="An interpreter with torch to run on; may be given several times. Default: this one.",
)
def record_command(places: Places, names: tuple[str, ...], pythons: tuple[str, ...]) -> int:
    """Decide cases, run their examples, soak the fixes, keep what was found, and check all files.

    It stops at the first step that disagrees, so that you can mend the case and call it again.

    For example: python -m validators record print_in_forward

    Exit status: that of the step that disagrees, 0 if none does.
    """
    from validators.cli import cli

    for words in _steps(names, pythons or (sys.executable,)):
        click.echo(f"$ python -m validators {' '.join(words)}")
        words += ["--catalog", str(places.catalog)]
        if status := cli.main(words, prog_name="python -m validators", standalone_mode=False):
            return int(status)
    return 0


def _steps(names: tuple[str, ...], pythons: tuple[str, ...]) -> Iterator[list[str]]:
    first, *others = pythons
    yield ["run", *names, "--record", "--python", first]
    yield ["examples", *names, "--record", "--python", first]
    yield ["examples", *names, "--uncompiled", "--python", first]
    yield ["soak", *names, "--record", "--python", first]
    for python in others:
        yield ["run", *names, "--record", "--python", python]
        yield ["examples", *names, "--record", "--python", python]
    yield ["check", "--fix"]
    yield ["check", "--match"]
