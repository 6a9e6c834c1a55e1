"""Writing the generated files of the pack, and finding those that differ from what is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from validators.errors import Problem
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack import manifests, references, scripts
from validators.skillpack.pack import Pack

Made = dict[Path, bytes]
"""Generated files by their paths below the repository's root."""
GENERATORS: list[Callable[[Repository, Pack], Made]] = [
    references.files,
    scripts.files,
    manifests.files,
]
FOLDERS = ("references", "scripts")
"""The folders of a skill in which every file is generated."""
_BUILD = "run `python -m validators skills build`"


def made_files(repository: Repository, pack: Pack) -> Made:
    """What every generator makes."""
    made: Made = {}
    for generator in GENERATORS:
        made |= generator(repository, pack)
    return made


def write_files(repository: Repository, pack: Pack) -> list[Path]:
    """Write the generated files and delete what nothing makes; return the changed paths."""
    made = made_files(repository, pack)
    changed = [path for path, data in made.items() if _stored(repository.root / path) != data]
    for path in changed:
        file = repository.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(made[path])
    strays = list(_strays(repository.root, pack, made))
    for path in strays:
        (repository.root / path).unlink()
    return sorted([*changed, *strays])


def drift(repository: Repository, pack: Pack, made: Made) -> Iterator[Problem]:
    """Generated files that are missing or differ from `made`, and files that nothing makes."""
    for path, data in made.items():
        stored = _stored(repository.root / path)
        if stored is None:
            yield Problem(repository.root / path, 0, f"is missing; {_BUILD}")
        elif stored != data:
            yield Problem(repository.root / path, 0, f"is not what the catalog makes; {_BUILD}")
    for path in _strays(repository.root, pack, made):
        yield Problem(repository.root / path, 0, f"is made by nothing; {_BUILD}, or move it")


def _strays(root: Path, pack: Pack, made: Made) -> Iterator[Path]:
    for skill in pack.skills:
        for folder in FOLDERS:
            for file in sorted((root / "skills" / skill.name / folder).rglob("*")):
                path = file.relative_to(root)
                if not file.is_dir() and path not in made and "__pycache__" not in path.parts:
                    yield path


def _stored(file: Path) -> bytes | None:
    try:
        return read_file(file)
    except FileNotFoundError:
        return None
