"""Skills in the folders of clients: added, looked at, removed."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
_PARTIAL = ".casebook-partial-"
"""Begins the name of a folder that is being written; clients pass over hidden ones."""
_CACHE = "__pycache__"
"""Made by running the scripts."""


class Stamp(Struct, frozen=True, kw_only=True):
    """What a skill was made of; `torch` is "" where the skill is for all releases.

    `python` is the interpreter that has that torch, relative to the project if it lies below it.
    `files` holds the SHA-256 of each file.
    """

    version: str
    date: str
    torch: str = ""
    python: str = ""
    files: dict[str, str] = {}


@dataclass(frozen=True)
class Installed:
    """A skill in a client's folder that has our stamp."""

    folder: Path
    stamp: Stamp

    @property
    def project(self) -> Path:
        """The project or the home folder that holds the client's folder."""
        return self.folder.parents[2]

    @property
    def changed(self) -> list[str]:
        """The files that somebody changed, removed or added since."""
        written = self.stamp.files
        changed = [
            name for name, digest in written.items() if hash_of(self.folder / name) != digest
        ]
        there = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        names = (path.relative_to(self.folder).as_posix() for path in there)
        known = (STAMP, *written)
        return changed + [name for name in names if name not in known and _CACHE not in name]


def add(
    folders: Sequence[Path], made: Mapping[Path, bytes], stamp: Stamp, *, force: bool = False
) -> list[str]:
    """Write the skills in `made` into each of `folders`, in place of what was added before.

    Args:
        folders: Folders of clients.
        made: The files, by their paths below such a folder.
        stamp: What the skills are made of.
        force: Also replace what was changed since, and what was not added so.

    Returns:
        The names of the skills.

    Raises:
        CasebookError: a folder holds a skill that was not added so, or one that was changed since;
            nothing is written anywhere.
    """
    names = sorted({path.parts[0] for path in made})
    if not force:
        for folder in folders:
            _refuse_strangers(folder, names)
    for folder in folders:
        for name in names:
            files = {p.relative_to(name): data for p, data in made.items() if p.parts[0] == name}
            _write(folder / name, files, stamp)
    return names


def _refuse_strangers(folder: Path, names: Iterable[str]) -> None:
    ours = {skill.folder.name: skill for skill in installed(folder)}
    for name in names:
        if name in ours:
            _refuse_changed(ours[name])
        elif os.path.lexists(folder / name):
            raise CasebookError(
                f"{folder / name}: is there already and was not added by this command; "
                "move it away, or add --force"
            )


def _refuse_changed(skill: Installed) -> None:
    if changed := skill.changed:
        raise CasebookError(
            f"{skill.folder / changed[0]}: was changed since it was added; "
            "move it away, or add --force"
        )


def _write(folder: Path, files: Mapping[Path, bytes], stamp: Stamp) -> None:
    """Write a skill beside its place and then move it there, so that it is whole or absent."""
    partial = folder.with_name(f"{_PARTIAL}{folder.name}")
    _delete(partial)
    for path, data in files.items():
        (partial / path).parent.mkdir(parents=True, exist_ok=True)
        (partial / path).write_bytes(data)
    digests = {path.as_posix(): hashlib.sha256(data).hexdigest() for path, data in files.items()}
    text = msgspec.json.encode(msgspec.structs.replace(stamp, files=digests))
    (partial / STAMP).write_bytes(msgspec.json.format(text) + b"\n")
    _delete(folder)
    partial.rename(folder)


def installed(folder: Path) -> Iterator[Installed]:
    """The skills in a client's folder that have our stamp, by name.

    Raises:
        CasebookError: a stamp cannot be read.
    """
    for file in _stamps(folder):
        try:
            yield Installed(file.parent, msgspec.json.decode(file.read_bytes(), type=Stamp))
        except (OSError, msgspec.DecodeError) as error:
            raise CasebookError(
                f"{file}: cannot be read ({error}); delete {file.parent} and add the skills again"
            ) from None


def _stamps(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"[!.]*/{STAMP}"))


def remove(folders: Iterable[Path], *, force: bool = False) -> list[Path]:
    """Remove what was added to `folders`, and those of them that this leaves empty.

    Returns:
        The folders of the removed skills.

    Raises:
        CasebookError: a skill was changed since it was added; nothing is removed. `force` removes
            it.
    """
    # A client's folder may be a link to another one's.
    real = list(dict.fromkeys(folder.resolve() for folder in folders))
    stamped = [file.parent for folder in real for file in _stamps(folder)]
    if not force:
        for skill in (skill for folder in real for skill in installed(folder)):
            _refuse_changed(skill)
    for skill_folder in stamped:
        _delete(skill_folder)
    for folder in real:
        for partial in folder.glob(f"{_PARTIAL}*"):
            _delete(partial)
        for empty in (folder, folder.parent):
            if stamped and empty.is_dir() and not any(empty.iterdir()):
                empty.rmdir()
    return stamped


def out_of_date(skill: Installed, torch: str | None) -> str:
    """Why a skill is out of date, "" if it is not.

    `torch` is what its interpreter has now, "" if it has none, None if there is no such
    interpreter here.
    """
    stamp = skill.stamp
    if stamp.version != __version__:
        return f"made by casebook {stamp.version}, and this is {__version__}"
    if stamp.torch and torch is not None and stamp.torch != torch:
        return f"made for torch {stamp.torch}, and {stamp.python} has {torch or 'none'}"
    if changed := skill.changed:
        return f"{changed[0]} was changed since"
    return ""


def _delete(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)
