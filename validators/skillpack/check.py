"""Everything that `check` finds out about the pack."""

from __future__ import annotations

from collections.abc import Iterator

from validators.errors import CasebookError, Problem
from validators.repository import Repository
from validators.skillpack.build import drift, made_files
from validators.skillpack.lint import check_skill_files
from validators.skillpack.pack import FILE, Pack, load_pack


def check_pack(repository: Repository) -> list[Problem]:
    """The defects of the pack and of what is made for it; none if there is no pack."""
    pack, problems = load_pack(repository.playbooks)
    if pack is None:
        return problems
    try:
        return list(_problems(repository, pack))
    except CasebookError as error:
        return [Problem(repository.playbooks / FILE, 0, f"the pack cannot be made: {error}")]


def _problems(repository: Repository, pack: Pack) -> Iterator[Problem]:
    yield from check_skill_files(repository, pack)
    made = made_files(repository, pack)
    yield from drift(repository, pack, made)
