"""Rules for a SKILL.md and its references: short, cited, and found by agents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from validators.catalog import Case, Catalog
from validators.catalog.citations import CITATION, citations
from validators.catalog.page import InvalidPage, line_of, parse_fields, split_page
from validators.errors import CasebookError, Problem
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack.pack import Pack
from validators.skillpack.skill_file import SkillFields
from validators.skillpack.statements import Statement, statements
from validators.skillpack.tokens import tokens

MOST_LINES, MOST_TOKENS = 120, 1800
MOST_TOKENS_OF_REFERENCE = 2000
MOST_DESCRIPTIONS = 2400
"""Of all skills together, in characters: clients show them all, and cut what is too long."""
_NAMED = re.compile(r"(?:\.\./[\w-]+/)?\b(?:references|scripts|assets)/[\w./-]*\w")
_INLINE_CODE = re.compile(r"`([^`]+)`")
_OF_API = re.compile(r"(?<=\.)[a-z_]\w+|\b[A-Za-z_]\w+(?=\()")
"""What a line of code calls, or takes from a module or an object."""
_RELEASE = re.compile(r"\btorch \d[\w.]*")


def check_skill_files(repository: Repository, pack: Pack) -> Iterator[Problem]:
    """Defects of what people wrote in the skills of the pack, and files too long to read."""
    described = 0
    for skill in pack.skills:
        page = repository.root / "skills" / skill.name / "SKILL.md"
        try:
            source, body, first = split_page(page)
            fields = parse_fields(page, source, SkillFields)
        except (InvalidPage, OSError):
            continue  # told by the check of the front matter
        described += len(fields.description)
        yield from _described(page, source, fields)
        stated = [*statements(body, first)]
        yield from _cited(page, stated)
        yield from _taught(page, stated, repository.catalog)
        yield from _links(page, body, first)
        yield from _releases(page, body, first)
    if described > MOST_DESCRIPTIONS:
        message = f"descriptions have {described} characters, more than {MOST_DESCRIPTIONS}"
        yield Problem(repository.root / "skills", 0, f"{message}; shorten them")
    yield from _lengths(repository, pack)


def _described(page: Path, source: str, fields: SkillFields) -> Iterator[Problem]:
    if not fields.description.startswith("Use when "):
        message = "`description` does not begin with 'Use when '; say when to use the skill"
        yield Problem(page, line_of(source, "description"), message)


def _cited(page: Path, stated: Iterable[Statement]) -> Iterator[Problem]:
    for statement in stated:
        if statement.needs_case:
            start = " ".join(statement.text.split()[:6])
            message = f"{start!r}... says something about torch; cite the `case:NAME` that decides"
            yield Problem(page, statement.line, message)


def _taught(page: Path, stated: Iterable[Statement], catalog: Catalog) -> Iterator[Problem]:
    """Rows that teach code which no program of the cases that they cite runs."""
    for statement in stated:
        cited = [catalog.by_name.get(name) for _, name in citations(statement.text)]
        programs = "\n".join(_programs(case) for case in cited if case)
        if not statement.is_row or not programs:
            continue
        rest = CITATION.sub("", statement.text)
        taught = {name for code in _INLINE_CODE.findall(rest) for name in _OF_API.findall(code)}
        for name in sorted(taught - set(re.findall(r"\w+", programs))):
            message = f"no program of the cited cases runs `{name}`; cite one that does"
            yield Problem(page, statement.line, message)


def _programs(case: Case) -> str:
    example = case.example
    sides = [example.before.code, example.after.code] if example else []
    return "\n".join([read_file(case.proof).decode("utf-8", "replace"), *sides])


def _links(page: Path, body: str, first: int) -> Iterator[Problem]:
    """Files of the skill that it names and does not have."""
    for number, line in enumerate(body.split("\n"), first):
        for path in _NAMED.findall(line):
            if not (page.parent / path).exists():
                yield Problem(page, number, f"names {path}, which does not exist; correct it")


def _releases(page: Path, body: str, first: int) -> Iterator[Problem]:
    """Releases of torch, which the references name: evidence changes them there alone."""
    for number, line in enumerate(body.split("\n"), first):
        for release in _RELEASE.findall(line):
            message = f"names {release}; leave releases to the section of the case that it cites"
            yield Problem(page, number, message)


def _lengths(repository: Repository, pack: Pack) -> Iterator[Problem]:
    try:
        for skill in pack.skills:
            folder = repository.root / "skills" / skill.name
            yield from _length(folder / "SKILL.md", MOST_TOKENS, MOST_LINES)
            for file in sorted((folder / "references").glob("*.md")):
                yield from _length(file, MOST_TOKENS_OF_REFERENCE)
    except CasebookError as error:
        yield Problem(repository.root / "skills", 0, str(error))


def _length(file: Path, most_tokens: int, most_lines: int | None = None) -> Iterator[Problem]:
    try:
        text = read_file(file).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return  # told by the check of the front matter, or as drift
    lines, count = len(text.splitlines()), tokens(text)
    if most_lines and lines > most_lines:
        yield Problem(file, 0, f"has {lines} lines, more than {most_lines}; shorten it")
    if count > most_tokens:
        yield Problem(file, 0, f"has {count} tokens, more than {most_tokens}; shorten it")
