"""Checks of the agent skills against the rules of agentskills.io."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from validators.catalog.page import InvalidPage, line_of, parse_fields, split_page
from validators.errors import Problem
from validators.skillpack.skill_file import SkillFields

MAX_BODY_LINES = 499


def check_skills(repository: Path) -> tuple[int, list[Problem]]:
    """How many skills the repository has, and their defects."""
    folders = sorted(path for path in (repository / "skills").glob("*") if path.is_dir())
    return len(folders), [problem for folder in folders for problem in _check(folder)]


def _check(folder: Path) -> Iterator[Problem]:
    page = folder / "SKILL.md"
    if not page.exists():
        yield Problem(folder, 0, "has no SKILL.md; write it or remove the folder")
        return
    try:
        source, body, body_line = split_page(page)
        fields = parse_fields(page, source, SkillFields)
    except InvalidPage as error:
        yield from error.problems
        return
    if fields.name != folder.name:
        message = f"`name` is {fields.name!r} in the folder {folder.name!r}; make them equal"
        yield Problem(page, line_of(source, "name"), message)
    lines = body.strip("\n").count("\n") + 1
    if lines > MAX_BODY_LINES:
        message = (
            f"body has {lines} lines, more than {MAX_BODY_LINES}; move detail to `references/`"
        )
        yield Problem(page, body_line, message)
