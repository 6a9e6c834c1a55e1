"""What each skill held at its present version: `playbooks/skills_lock.json`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from validators.catalog.page import InvalidPage, parse_fields, split_page
from validators.errors import CasebookError
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack.build import FOLDERS, Made
from validators.skillpack.pack import Pack, Skill
from validators.skillpack.skill_file import SkillFields
from validators.skillpack.standing import all_columns, standing

FILE = "skills_lock.json"
CHANGELOG = "CHANGELOG.md"
VERSION_LINE = re.compile(rb"(?m)^( +version: ).*$")
"""Of the front matter of a SKILL.md, which comes first in it."""


class Held(Struct, frozen=True):
    """A skill at a version: digests of what people wrote and of what was made, and the verdicts.

    `verdicts` says of each case on which releases it holds.
    """

    version: str
    written: str
    made: str
    verdicts: dict[str, str]

    def same(self, other: Held) -> bool:
        """Whether two skills are equal but for their versions."""
        return (self.written, self.made, self.verdicts) == (
            other.written,
            other.made,
            other.verdicts,
        )


Lock = dict[str, Held]


def load_lock(playbooks: Path) -> Lock:
    """The committed lock; empty if there is none.

    Raises:
        CasebookError: the file is damaged.
    """
    file = playbooks / FILE
    try:
        return msgspec.json.decode(read_file(file), type=Lock) if file.exists() else {}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{file}: is not a lock of skills ({error}); restore it from version control"
        raise CasebookError(message) from None


def write_lock(playbooks: Path, lock: Lock) -> None:
    """Store the lock, a line for each case."""
    text = json.dumps(msgspec.to_builtins(lock), indent=1, sort_keys=True)
    (playbooks / FILE).write_text(f"{text}\n", encoding="utf-8")


def held_now(repository: Repository, pack: Pack, made: Made) -> Lock:
    """What each skill that has a readable SKILL.md holds now."""
    columns, found = all_columns(repository), {}
    for skill in pack.skills:
        folder = repository.root / "skills" / skill.name
        if version := version_of(folder / "SKILL.md"):
            cases = pack.cases_of(skill, repository.catalog)
            verdicts = {case.name: standing(case, repository, columns) for case in cases}
            found[skill.name] = Held(
                version, _digest(_written(folder)), _digest(_made(skill, made)), verdicts
            )
    return found


def version_of(page: Path) -> str:
    """The version in the front matter of a SKILL.md; "" if it has none or cannot be read."""
    try:
        source, _, _ = split_page(page)
        return parse_fields(page, source, SkillFields).metadata.get("version", "")
    except (InvalidPage, OSError):
        return ""


def _written(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What people wrote of a skill, but for its version, which a bump changes alone."""
    for file in sorted(it for it in folder.rglob("*") if it.is_file()):
        path = file.relative_to(folder)
        if path.parts[0] in FOLDERS or path.name == CHANGELOG or "__pycache__" in path.parts:
            continue
        data = read_file(file)
        if path.name == "SKILL.md":
            data = VERSION_LINE.sub(rb"\g<1>", data, count=1)
        yield path.as_posix(), data


def _made(skill: Skill, made: Made) -> Iterator[tuple[str, bytes]]:
    folder = Path("skills") / skill.name
    for path, data in sorted(made.items()):
        if path.is_relative_to(folder):
            yield path.as_posix(), data


def _digest(parts: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, data in parts:
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]
