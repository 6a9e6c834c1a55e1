"""Everything that `check` finds out about the pack."""

from __future__ import annotations

from collections.abc import Iterator

from validators.errors import CasebookError, Problem
from validators.evidence.columns import in_order
from validators.repository import Repository
from validators.skillpack.build import drift, made_files
from validators.skillpack.lint import check_skill_files
from validators.skillpack.pack import FILE, Pack, load_pack
from validators.skillpack.release import MOST_BYTES, Release, texts
from validators.skillpack.two_reads import check_two_reads
from validators.waiting import Track

_ANY_DAY = "2026-01-01"
"""A date as long as any."""


def check_pack(repository: Repository) -> list[Problem]:
    """The defects of the pack and of what is made for it; none if there is no pack."""
    pack, problems = load_pack(repository.playbooks)
    if pack is None:
        return problems
    try:
        return list(_problems(repository, pack))
    except CasebookError as error:
        return [Problem(repository.playbooks / FILE, 0, f"the pack cannot be made: {error}")]


def check_looking_up(repository: Repository, track: Track) -> Iterator[Problem]:
    """What keeps an agent from a case in two short reads; skills that are long for one release.

    `track` is given what there is to do, and shows how far it is.
    """
    pack, _ = load_pack(repository.playbooks)
    if pack is None:
        return
    for skill in track(pack.skills, "cases in the skills"):
        yield from check_two_reads(repository, pack, skill)
    columns = in_order(column for _, column in repository.evidence)
    for torch in track([*dict.fromkeys(it.torch for it in columns)], "skills for each release"):
        size = sum(map(len, texts(Release(repository, torch), pack, _ANY_DAY).values()))
        if size > MOST_BYTES:
            message = f"take {size} bytes for torch {torch}, more than {MOST_BYTES}; shorten titles"
            yield Problem(repository.root / "skills", 0, message)


def _problems(repository: Repository, pack: Pack) -> Iterator[Problem]:
    yield from check_skill_files(repository, pack)
    made = made_files(repository, pack)
    yield from drift(repository, pack, made)
