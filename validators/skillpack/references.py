"""The references of each skill: what the catalog says of its cases, in files for one reading.

An agent searches them for the line of its log. The heading that holds the line names the case, and
the section below it has the fix: two reads lead from a log to the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from validators.catalog.prose import MADE
from validators.repository import Repository
from validators.skillpack.pack import Pack, Skill
from validators.skillpack.sections import Section, section_of
from validators.skillpack.standing import all_columns

GENERATED = f"{MADE.decode()}`python -m validators skills build`; do not edit. -->\n"
MOST_CHARACTERS = 6000
"""Of a file. So many have fewer than 2,000 tokens, which a check counts."""


def files(repository: Repository, pack: Pack) -> dict[Path, bytes]:
    """The references of every skill, by their paths below the repository's root."""
    columns = all_columns(repository)
    cases = {
        case.name: case for it in pack.skills for case in pack.cases_of(it, repository.catalog)
    }
    sections = {name: section_of(case, repository, columns) for name, case in cases.items()}
    made: dict[Path, bytes] = {}
    for skill in pack.skills:
        held = [sections[case.name] for case in pack.cases_of(skill, repository.catalog)]
        texts = _texts(held)
        made |= {_folder(skill) / name: text.encode() for name, text in texts.items()}
    return made


def _folder(skill: Skill) -> Path:
    return Path("skills") / skill.name / "references"


def _texts(sections: list[Section]) -> dict[str, str]:
    """The files of a skill that holds `sections`."""
    texts = {}
    for area, of_area in groupby(sections, key=lambda section: section.case.area):
        for letters, run in _runs(list(of_area)):
            name = f"{area}-{letters}.md" if letters else f"{area}.md"
            texts[name] = (_heading(area, run) + "".join(it.text for it in run)).rstrip() + "\n"
    return texts


def _heading(area: str, sections: list[Section]) -> str:
    title = area.replace("_", " ").capitalize()
    names = [it.case.name for it in sections]
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"{GENERATED}# {title}: {span}\n\n"


def _runs(sections: list[Section]) -> Iterator[tuple[str, list[Section]]]:
    """Parts of an area that fit into a file each, named by the letters that their cases begin with.

    A part holds all cases with these letters, so that a new case leaves most files as they are.
    """
    if _fits(sections):
        yield "", sections
        return
    letters: list[str] = []
    run: list[Section] = []
    for prefix, group in _by_prefix(sections, 1):
        if run and not _fits(run + group):
            yield _span(letters), run
            letters, run = [], []
        letters, run = [*letters, prefix], run + group
    yield _span(letters), run


def _by_prefix(sections: list[Section], size: int) -> Iterator[tuple[str, list[Section]]]:
    """The sections by the first letters of their names, as many as it takes to fit into a file."""
    for prefix, found in groupby(sections, key=lambda it: it.case.name[:size]):
        group = list(found)
        if len(group) == 1 or _fits(group):
            yield prefix.rstrip("_"), group
        else:
            yield from _by_prefix(group, size + 1)


def _span(letters: list[str]) -> str:
    return letters[0] if len(letters) == 1 else f"{letters[0]}-{letters[-1]}"


def _fits(sections: Iterable[Section]) -> bool:
    return sum(len(it.text) for it in sections) <= MOST_CHARACTERS
