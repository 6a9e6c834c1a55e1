"""The command line: `python -m docsite`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import click

from validators.catalog.casebook import default_catalog
from validators.errors import CasebookError, run_command
from validators.waiting import Waiting

_PACKAGES = {
    "jinja2": "Jinja",
    "markdown_it": "markdown-it-py",
    "mkdocs": "MkDocs",
}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Build the site of a catalog."""


_out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build"),
    show_default=True,
    help="The folder of the folders docs and copies, and of site, which MkDocs makes.",
)


@cli.command()
@click.option(
    "--catalog",
    type=click.Path(path_type=Path),
    default=default_catalog,
    show_default="playbooks/catalog",
    help="The folder of areas that hold the cases; prose and evidence are found beside it.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Records that overlay the committed ones, such as build/evidence; repeatable.",
)
@_out_option
def build(catalog: Path, evidence: tuple[Path, ...], out: Path) -> None:
    """Write OUT/docs, of which `mkdocs build` makes the site, and OUT/copies beside it."""
    require_packages()
    from docsite.build import build as build_site
    from docsite.content import load

    with Waiting("writing the pages"):
        told = build_site(load(catalog.resolve(), evidence), out.resolve())
    click.echo(told)


@cli.command()
@_out_option
def finish(out: Path) -> None:
    """Add to OUT/site what MkDocs cannot copy, after `mkdocs build`."""
    from docsite.finish import finish as finish_site

    click.echo(finish_site(out.resolve()))


def require_packages() -> None:
    """Check that the packages that render the site are installed.

    Raises:
        CasebookError: a package is missing; the message says how to install it.
    """
    missing = [name for module, name in _PACKAGES.items() if not importlib.util.find_spec(module)]
    if missing:
        raise CasebookError(
            f"{sys.executable}: lacks {' and '.join(missing)}; "
            "run `python -m pip install '.[site]'` in the repository"
        )


def main() -> None:
    """Run the command line and exit with its status: 2 for errors that the user can fix."""
    run_command(cli, "python -m docsite", "run it again")


if __name__ == "__main__":
    main()
