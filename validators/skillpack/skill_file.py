"""What stands at the top of a skill's SKILL.md."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from validators.catalog.page import InvalidPage, parse_fields, split_page
from validators.errors import CasebookError
from validators.skillpack.pack import FILE, Pack

Name = Annotated[str, Meta(max_length=64, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)")]


class SkillFields(
    Struct, frozen=True, forbid_unknown_fields=True, rename={"tools": "allowed-tools"}
):
    """The front matter of a SKILL.md."""

    name: Name
    description: Annotated[str, Meta(max_length=1024, pattern=r"\S")]
    license: str = ""
    compatibility: Annotated[str, Meta(max_length=500)] = ""
    metadata: dict[str, str] = {}
    tools: str = ""


def read_skills(root: Path, pack: Pack) -> list[SkillFields]:
    """The front matter of each skill of the pack, in its order.

    Raises:
        CasebookError: a skill has no SKILL.md, or its front matter has a defect.
    """
    return [_read(root / "skills" / skill.name / "SKILL.md") for skill in pack.skills]


def _read(page: Path) -> SkillFields:
    if not page.is_file():
        raise CasebookError(f"{page}: is missing; write it, or take its skill out of {FILE}")
    try:
        return parse_fields(page, split_page(page)[0], SkillFields)
    except InvalidPage as error:
        raise CasebookError(str(error.problems[0])) from None
