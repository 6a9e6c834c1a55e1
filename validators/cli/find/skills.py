"""`skills`: put the agent skills where clients find them; make their generated files."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from validators import __version__
from validators.cli.places import Places, catalog_option, checkout_option
from validators.environment import describe
from validators.errors import CasebookError
from validators.files import PROGRAM, home_folder
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
from validators.waiting import Waiting

_SETTINGS = {"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "agents": ".agents"}
"""The folder by which a client is known to be in use."""


@click.group("skills")
def skills_command() -> None:
    """Add the agent skills to a project or a user, see whether they are stale, remove them."""


def _place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--force", is_flag=True, help="Even if that loses somebody's own changes."),
        click.option(
            "--client",
            "clients",
            multiple=True,
            type=click.Choice([*CLIENTS]),
            help="Whose folder; repeatable.  [default: the clients in use, else agents]",
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
    "--python", metavar="P", help="Only what holds on the torch of this interpreter: short texts."
)
@catalog_option
def add_skills(
    places: Places, project: bool, clients: Sequence[str], force: bool, python: str | None
) -> int:
    """Write the skills where clients find them, in place of what was added before.

    For example: python -m validators skills add --client claude --python .venv/bin/python
    """
    base = _base(project)
    with Waiting("making the skills"):
        made, stamp = _made(places, python, base)
        folders = _folders(base, clients)
        count = len(add(folders, made, stamp, force=force))
    about = f" for torch {stamp.torch}" if stamp.torch else ""
    size = f"{sum(map(len, made.values())) / 1000:.0f} kB"
    for folder in folders:
        click.echo(f"{folder}: {count} skills{about}, {len(made)} files, {size}")
    return 0


@skills_command.command("status")
def status() -> int:
    """Say which skills are added here and for this user, and whether they are out of date.

    Exit status: 0 all are current, 1 some are not, or there are none.
    """
    renewals: dict[str, None] = {}
    skills = list(_everywhere())
    for skill in skills:
        why = out_of_date(skill, _torch_of(skill))
        about = f"for torch {skill.stamp.torch}, " if skill.stamp.torch else ""
        click.echo(f"{skill.folder}: {about}{skill.stamp.date}: {why or 'current'}")
        if why:
            renewals[_renewal(skill)] = None
    for command in renewals:
        click.echo(f"Make them anew: {command}")
    if not skills:
        click.echo(f"No skill was added here or for this user; `{PROGRAM} skills add` adds them.")
    return int(bool(renewals) or not skills)


@skills_command.command("remove")
@_place_options
def remove_skills(project: bool, clients: Sequence[str], force: bool) -> int:
    """Remove the skills that `add` wrote; nothing of them is left."""
    base = _base(project)
    removed = remove([base / CLIENTS[name] for name in clients or CLIENTS], force=force)
    for folder in removed:
        click.echo(f"removed {folder}")
    if not removed:
        click.echo(f"No skill was added in {base}.")
    return 0


@skills_command.command("build")
@checkout_option
def build(places: Places) -> int:
    """Write what is generated."""
    with Waiting("making the skills"):
        written = write_files(*_pack(places))
    for path in written:
        click.echo(f"wrote {path}")
    return 0


@skills_command.command("check")
@checkout_option
def check(places: Places) -> int:
    """Say what differs from what is generated, and what else is wrong with the skills."""
    with Waiting("checking the skills"):
        problems = check_pack(Repository(places.catalog))
    for problem in problems:
        click.echo(str(problem))
    click.echo(f"{len(problems)} problems")
    return 2 if problems else 0


def _made(places: Places, python: str | None, base: Path) -> tuple[dict[Path, bytes], Stamp]:
    """The files below a folder of skills, and what they are made of."""
    date = datetime.date.today().isoformat()
    if python is None:
        made = _below_skills(made_files(*_pack(places)))
        return made, Stamp(version=__version__, date=date)
    env = describe(python)
    repository, pack = _pack(places, [places.local])
    release = Release(repository, public_version(env.fingerprint.torch))
    made = _below_skills(scripts.files(repository, pack)) | texts(release, pack, date)
    path = Path(env.python)
    place = path.relative_to(base) if path.is_relative_to(base) else path
    return made, Stamp(version=__version__, date=date, torch=release.torch, python=str(place))


def _below_skills(made: dict[Path, bytes]) -> dict[Path, bytes]:
    """The files in the folders of skills, by their paths below the folder of all skills."""
    inside = {path: data for path, data in made.items() if len(path.parts) > 2}
    return {
        path.relative_to("skills"): data
        for path, data in inside.items()
        if path.is_relative_to("skills")
    }


def _folders(base: Path, clients: Sequence[str]) -> list[Path]:
    used = [name for name, place in _SETTINGS.items() if (base / place).is_dir()]
    return list(dict.fromkeys(base / CLIENTS[name] for name in clients or used or ["agents"]))


def _base(project: bool) -> Path:
    return Path.cwd() if project else home_folder()


def _everywhere() -> Iterator[Installed]:
    for base in dict.fromkeys((Path.cwd(), home_folder())):
        for folder in dict.fromkeys(base / place for place in CLIENTS.values()):
            yield from installed(folder)


def _torch_of(skill: Installed) -> str | None:
    """The release of torch that a skill's interpreter has now; None if it is not here."""
    if not skill.stamp.python:
        return ""
    python = str(skill.project / skill.stamp.python)
    if not shutil.which(python):
        return None
    try:
        return public_version(describe(python).fingerprint.torch)
    except CasebookError:
        return ""


def _renewal(skill: Installed) -> str:
    """The command that adds an outdated skill again."""
    place = skill.folder.parent.relative_to(skill.project).as_posix()
    client = next(name for name, folder in CLIENTS.items() if folder == place)
    where = "--project" if skill.project == Path.cwd() else "--user"
    python = f" --python {skill.stamp.python}" if skill.stamp.python else ""
    return f"{PROGRAM} skills add {where} --client {client}{python}"


def _pack(places: Places, overlays: Sequence[Path] = ()) -> tuple[Repository, Pack]:
    repository = Repository(places.catalog, overlays)
    pack, problems = load_pack(repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    if pack is None:
        raise CasebookError(f"{repository.playbooks / FILE}: does not exist; write it")
    return repository, pack
