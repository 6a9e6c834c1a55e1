"""`skills`: make the generated files of the skills, and raise their versions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from validators.cli.places import Places, catalog_option
from validators.errors import CasebookError
from validators.repository import Repository
from validators.skillpack import versions
from validators.skillpack.check import check_pack
from validators.skillpack.names import record_names
from validators.skillpack.pack import FILE, Pack, load_pack


@click.group("skills")
def skills_command() -> None:
    """Make the generated files of the agent skills, check them, and raise their versions."""


@skills_command.command("build")
@catalog_option
def build(places: Places) -> int:
    """Write what is generated; if only that changed in a skill, raise the skill's version."""
    for line in versions.build(*_pack(places)):
        click.echo(line)
    return 0


@skills_command.command("check")
@catalog_option
def check(places: Places) -> int:
    """Say what differs from what is generated, and what else is wrong with the skills."""
    problems = check_pack(Repository(places.catalog))
    for problem in problems:
        click.echo(str(problem))
    click.echo(f"{len(problems)} problems")
    return 2 if problems else 0


def _levels(command: Callable[..., Any]) -> Callable[..., Any]:
    for level, what in (
        ("patch", "It says the same as before, better."),
        ("minor", "It says more than before.  [default]"),
        ("major", "It says something else than before."),
    ):
        option = click.option(f"--{level}", "level", flag_value=level, default="minor", help=what)
        command = option(command)
    return command


@skills_command.command("bump")
@click.argument("name")
@_levels
@click.option("-m", "text", required=True, metavar="TEXT", help="The line of the changelog.")
@catalog_option
def bump(places: Places, name: str, level: versions.Level, text: str) -> int:
    """Raise the version of the skill NAME after a change, and write its changelog."""
    click.echo(f"{name}: {versions.bump(*_pack(places), name, level, text)}")
    return 0


@skills_command.command("names")
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="P",
    help="An interpreter with torch; give several for several releases.  [default: this one]",
)
@catalog_option
def names(places: Places, pythons: tuple[str, ...]) -> int:
    """Ask torch which of the names in the skills exist, and record the answers."""
    releases = record_names(*_pack(places), pythons or (sys.executable,))
    click.echo(f"asked torch {', '.join(releases)}")
    return 0


def _pack(places: Places) -> tuple[Repository, Pack]:
    repository = Repository(places.catalog)
    pack, problems = load_pack(repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    if pack is None:
        raise CasebookError(f"{repository.playbooks / FILE}: does not exist; write it")
    return repository, pack
