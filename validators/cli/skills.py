"""`skills`: put the agent skills where clients find them; make their generated files."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from validators import __version__
from validators.cli.places import Places, catalog_option, checkout_option
from validators.environment import describe
from validators.errors import CasebookError
from validators.files import PROGRAM
from validators.repository import Repository
from validators.skillpack import scripts
from validators.skillpack.build import made_files, write_files
from validators.skillpack.check import check_pack
from validators.skillpack.install import (
    CLIENTS,
    Installed,
    Stamp,
    add,
    installed,
    out_of_date,
    remove,
)
from validators.skillpack.pack import FILE, Pack, load_pack
from validators.skillpack.release import Release, texts
from validators.versions import public_version


@click.group("skills")
def skills_command() -> None:
    """Add the agent skills to a project or a user, see whether they are stale, remove them."""


def _place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--force", is_flag=True, help="Also where somebody changed a skill."),
        click.option(
            "--client",
            "clients",
            multiple=True,
            type=click.Choice([*CLIENTS]),
            help="Whose folder; repeatable.  [default: those whose folders are there, else agents]",
        ),
        click.option(
            "--project/--user",
            default=True,
            help="In the working directory, or for this user.  [default: --project]",
        ),
    ):
        command = option(command)
    return command


@skills_command.command("add")
@_place_options
@click.option(
    "--python", metavar="P", help="Only what holds on the torch of this interpreter, in few bytes."
)
@catalog_option
def add_skills(
    places: Places, project: bool, clients: Sequence[str], force: bool, python: str | None
) -> int:
    """Write the skills where clients find them, in place of what was added before.

    For example: python -m validators skills add --client claude --python .venv/bin/python
    """
    click.echo("making the skills", err=True)
    made, stamp = _made(places, python)
    for folder in _folders(project, clients):
        count = len(add(folder, made, stamp, force=force))
        size = sum(map(len, made.values()))
        about = f" for torch {stamp.torch}" if stamp.torch else ""
        click.echo(f"{folder}: {count} skills{about}, {len(made)} files, {size / 1000:.0f} kB")
    return 0


@skills_command.command("status")
def status() -> int:
    """Say which skills are added here and for this user, and whether they are out of date.

    Exit status: 0 all are current, 1 some are not, or there are none.
    """
    problems = 0
    skills = list(_everywhere())
    for skill in skills:
        why = out_of_date(skill, _torch_of(skill.stamp.python))
        problems += bool(why)
        stamp = skill.stamp
        about = f"for torch {stamp.torch}, " if stamp.torch else ""
        click.echo(f"{skill.folder}: {about}{stamp.date}: {why or 'current'}")
    if not skills:
        click.echo(f"No skill was added here or for this user; `{PROGRAM} skills add` adds them.")
    elif problems:
        click.echo(f"`{PROGRAM} skills add` makes them anew.")
    return int(problems > 0 or not skills)


@skills_command.command("remove")
@_place_options
def remove_skills(project: bool, clients: Sequence[str], force: bool) -> int:
    """Remove the skills that `add` wrote; nothing of them is left."""
    base = _base(project)
    folders = dict.fromkeys(base / CLIENTS[name] for name in clients or CLIENTS)
    skills = [skill for folder in folders for skill in installed(folder)]
    for removed in remove(skills, force=force):
        click.echo(f"removed {removed}")
    if not skills:
        click.echo(f"No skill was added in {base}.")
    return 0


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


def _made(places: Places, python: str | None) -> tuple[dict[Path, bytes], Stamp]:
    """The files below a folder of skills, and what they are made of."""
    date = datetime.date.today().isoformat()
    stamp = Stamp(version=__version__, date=date, files={})
    if python is None:
        made = made_files(*_pack(places))
        return _below_skills(made), stamp
    env = describe(python)
    repository, pack = _pack(places, [places.local])
    release = Release(repository, public_version(env.fingerprint.torch))
    made = _below_skills(scripts.files(repository, pack)) | texts(release, pack, date)
    return made, Stamp(
        version=__version__, date=date, torch=release.torch, python=env.python, files={}
    )


def _below_skills(made: dict[Path, bytes]) -> dict[Path, bytes]:
    found = {
        path.relative_to("skills"): data for path, data in made.items() if path.parts[0] == "skills"
    }
    return {path: data for path, data in found.items() if len(path.parts) > 1}


def _folders(project: bool, clients: Sequence[str]) -> list[Path]:
    base = _base(project)
    there = [name for name, place in CLIENTS.items() if (base / place).parent.is_dir()]
    return list(dict.fromkeys(base / CLIENTS[name] for name in clients or there or ["agents"]))


def _base(project: bool) -> Path:
    return Path.cwd() if project else Path.home()


def _everywhere() -> Iterator[Installed]:
    for base in dict.fromkeys((Path.cwd(), Path.home())):
        for folder in dict.fromkeys(base / place for place in CLIENTS.values()):
            yield from installed(folder)


def _torch_of(python: str) -> str:
    """The release of torch that an interpreter has; "" if it has none."""
    try:
        return public_version(describe(python).fingerprint.torch) if python else ""
    except CasebookError:
        return ""


def _pack(places: Places, overlays: Sequence[Path] = ()) -> tuple[Repository, Pack]:
    repository = Repository(places.catalog, overlays)
    pack, problems = load_pack(repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    if pack is None:
        raise CasebookError(f"{repository.playbooks / FILE}: does not exist; write it")
    return repository, pack
