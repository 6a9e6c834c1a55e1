"""Skills in the folders of clients: added, looked at, removed."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from validators import __version__
from validators.errors import CasebookError
from validators.files import hash_of

CLIENTS = {
    "claude": ".claude/skills",
    "codex": ".agents/skills",
    "gemini": ".gemini/skills",
    "agents": ".agents/skills",
}
"""Where each client looks for skills, below a project and below the home folder."""
STAMP = ".casebook.json"
_MADE = "__pycache__"
"""Made by running the scripts."""


class Stamp(Struct, frozen=True, kw_only=True):
    """What a skill was made of; `torch` is "" where the skill is for all releases.

    `python` is the interpreter that has that torch. `files` holds the SHA-256 of each file.
    """

    version: str
    date: str
    torch: str = ""
    python: str = ""
    files: dict[str, str]


class Installed(Struct, frozen=True):
    """A skill in a client's folder that has our stamp."""

    folder: Path
    stamp: Stamp

    @property
    def changed(self) -> list[str]:
        """The files that somebody changed, removed or added since."""
        written = self.stamp.files
        changed = [
            name for name, digest in written.items() if hash_of(self.folder / name) != digest
        ]
        there = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        names = (path.relative_to(self.folder).as_posix() for path in there)
        left = (STAMP, *written)
        return changed + [name for name in names if name not in left and _MADE not in name]


def add(
    folder: Path, made: Mapping[Path, bytes], stamp: Stamp, *, force: bool = False
) -> list[Path]:
    """Write the skills in `made`, by their paths below `folder`, in place of what was added before.

    Returns:
        The folders of the skills.

    Raises:
        CasebookError: a folder holds a skill that was not added so, or one that was changed since;
            nothing is written. `force` replaces both.
    """
    names = sorted({path.parts[0] for path in made})
    if not force:
        for name in names:
            _refuse(folder / name)
    for name in names:
        _remove(folder / name)
        files = {path: data for path, data in made.items() if path.parts[0] == name}
        for path, data in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        digests = {
            path.relative_to(name).as_posix(): hashlib.sha256(data).hexdigest()
            for path, data in files.items()
        }
        text = msgspec.json.format(
            msgspec.json.encode(msgspec.structs.replace(stamp, files=digests))
        )
        (folder / name / STAMP).write_bytes(text + b"\n")
    return [folder / name for name in names]


def installed(folder: Path) -> Iterator[Installed]:
    """The skills in a client's folder that have our stamp, by name."""
    for file in sorted(folder.glob(f"*/{STAMP}")):
        try:
            yield Installed(file.parent, msgspec.json.decode(file.read_bytes(), type=Stamp))
        except (OSError, msgspec.DecodeError) as error:
            raise CasebookError(
                f"{file}: cannot be read ({error}); delete {file.parent} and add the skills again"
            ) from None


def remove(skills: Iterable[Installed], *, force: bool = False) -> list[Path]:
    """Remove skills, and the folders that this leaves empty; return the folders of the skills.

    Raises:
        CasebookError: one was changed since it was added; nothing is removed. `force` removes it.
    """
    every = list(skills)
    if not force:
        for skill in every:
            _refuse(skill.folder)
    for skill in every:
        _remove(skill.folder)
        for parent in (skill.folder.parent, skill.folder.parent.parent):
            if not any(parent.iterdir()):
                parent.rmdir()
    return [skill.folder for skill in every]


def out_of_date(skill: Installed, torch: str) -> str:
    """Why a skill is out of date, "" if it is not; `torch` is what its interpreter has now."""
    stamp = skill.stamp
    if stamp.version != __version__:
        return f"made by casebook {stamp.version}, and this is {__version__}"
    if stamp.torch and stamp.torch != torch:
        return f"made for torch {stamp.torch}, and {stamp.python} has {torch or 'none'}"
    if changed := skill.changed:
        return f"{changed[0]} was changed since"
    return ""


def _refuse(folder: Path) -> None:
    """Refuse a folder that holds what we did not write."""
    again = "move it away, or add --force"
    if folder.exists() and not (folder / STAMP).is_file():
        raise CasebookError(
            f"{folder}: is there already and was not added by this command; {again}"
        )
    for skill in installed(folder.parent):
        if skill.folder == folder and (changed := skill.changed):
            raise CasebookError(f"{folder / changed[0]}: was changed since it was added; {again}")


def _remove(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
