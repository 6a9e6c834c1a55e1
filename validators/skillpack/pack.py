"""What the pack of skills holds: `playbooks/skills.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from validators.catalog import Case, Catalog
from validators.catalog.citations import citations
from validators.catalog.frontmatter import Kind
from validators.catalog.page import InvalidPage, parse_fields, read_list
from validators.catalog.prose import read_prose
from validators.errors import Problem

FILE = "skills.yaml"
_MAX_LIST = 64 * 1024


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One skill: the cases that its references hold.

    `when` ends the sentence "Open it for ...", where the whole description is too long. `areas` are
    folders of the catalog, "all" for every one, and `kinds` the kinds of their cases, all of them
    if it names none; `cases` come on top, with those that SKILL.md cites. `aliases` are the names
    that other documents use for it. `runtime` says that its scripts are those of the pack.
    """

    name: Annotated[str, Meta(min_length=1)]
    when: str = ""
    areas: list[str] = []
    kinds: list[Kind] = []
    cases: list[str] = []
    aliases: list[str] = []
    runtime: bool = False

    def holds(self, case: Case) -> bool:
        """Whether the references of this skill hold a case."""
        of_area = "all" in self.areas or case.area in self.areas
        of_kind = not self.kinds or case.meta.kind in self.kinds
        return (of_area and of_kind) or case.name in self.cases


class Pack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pack: its name and what people read about it, and its skills."""

    name: Annotated[str, Meta(min_length=1)]
    title: Annotated[str, Meta(min_length=1)]
    description: Annotated[str, Meta(min_length=1)]
    license: str
    skills: list[Skill]

    def cases_of(self, skill: Skill, catalog: Catalog) -> list[Case]:
        """The cases that the references of a skill hold, by area and name; withdrawn ones not."""
        held = [it for it in catalog.by_name.values() if skill.holds(it) and not it.meta.withdrawn]
        return sorted(held, key=lambda it: (it.area, it.name))


def load_pack(playbooks: Path) -> tuple[Pack | None, list[Problem]]:
    """The pack that `playbooks` describes, None if there is none; and what is wrong with it."""
    file = playbooks / FILE
    if not file.exists():
        return None, []
    try:
        pack = parse_fields(file, read_list(file), Pack, _MAX_LIST)
    except InvalidPage as error:
        return None, error.problems
    skills = [_with_cited(it, playbooks.parent / "skills") for it in pack.skills]
    return replace(pack, skills=skills), []


def _with_cited(skill: Skill, folder: Path) -> Skill:
    page = folder / skill.name / "SKILL.md"
    cited = {name for _, name in citations(read_prose(page).text)} if page.exists() else set()
    return replace(skill, cases=sorted({*skill.cases, *cited}))
