"""`skills`: make the generated files of the skills, and check them."""

from __future__ import annotations

import click

from validators.cli.places import Places, checkout_option
from validators.errors import CasebookError
from validators.repository import Repository
from validators.skillpack.build import write_files
from validators.skillpack.check import check_pack
from validators.skillpack.pack import FILE, Pack, load_pack


@click.group("skills")
def skills_command() -> None:
    """Add the agent skills to a project or a user, see whether they are stale, remove them."""


@skills_command.command("build")
@checkout_option
def build(places: Places) -> int:
    """Write what is generated."""
    for path in write_files(*_pack(places)):
        click.echo(f"wrote {path}")
    return 0


@skills_command.command("check")
@checkout_option
def check(places: Places) -> int:
    """Say what differs from what is generated, and what else is wrong with the skills."""
    problems = check_pack(Repository(places.catalog))
    for problem in problems:
        click.echo(str(problem))
    click.echo(f"{len(problems)} problems")
    return 2 if problems else 0


def _pack(places: Places) -> tuple[Repository, Pack]:
    repository = Repository(places.catalog)
    pack, problems = load_pack(repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    if pack is None:
        raise CasebookError(f"{repository.playbooks / FILE}: does not exist; write it")
    return repository, pack
