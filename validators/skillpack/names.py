"""What the skills name of torch, and on which releases it exists: `playbooks/skills_names.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from packaging.version import Version

from validators.audit.claims import Claim, claims_of, distinct
from validators.audit.judging import ask
from validators.audit.reading import Passage, passages
from validators.catalog.citations import citations
from validators.errors import CasebookError, Problem
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack.pack import Pack

FILE = "skills_names.json"
Names = dict[str, dict[str, bool | None]]
"""What each release of torch answers to each claim; None where it cannot tell."""
_RELEASE = re.compile(r"\btorch \d")
_FLAG = re.compile(r"`([a-z]\w*_\w+)(?:\s*=\s*\w+)?`")
_CONFIGS = (
    "torch._dynamo.config",
    "torch._functorch.config",
    "torch._inductor.config",
    "torch.compiler.config",
)


def load_names(repository: Repository) -> Names:
    """What is recorded.

    Raises:
        CasebookError: the file is damaged.
    """
    file = repository.playbooks / FILE
    try:
        return msgspec.json.decode(read_file(file), type=Names) if file.exists() else {}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{file}: is damaged ({error}); delete it and run `python -m validators skills"
        raise CasebookError(f"{message} names` on each release") from None


def record_names(repository: Repository, pack: Pack, pythons: Sequence[str]) -> list[str]:
    """Ask each interpreter's torch for what the skills name; return the releases.

    What other releases answered stays; what no skill names any more goes.

    Raises:
        CasebookError: an interpreter cannot be asked.
    """
    named = _named(repository, pack)
    asked = distinct(claim for it in named for claim in it.asked)
    told = dict(ask(python, asked) for python in pythons)
    stored = load_names(repository)
    names: Names = {}
    for one in sorted(named, key=lambda it: it.key):
        new = {release: one.answer(answers) for release, answers in told.items()}
        answers = stored.get(one.key, {}) | new
        if not one.flag or any(answers.values()):
            names[one.key] = {it: answers[it] for it in sorted(answers, key=Version)}
    lines = [f" {json.dumps(name)}: {json.dumps(answers)}" for name, answers in names.items()]
    text = ",\n".join(lines)
    (repository.playbooks / FILE).write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    return list(told)


def check_names(repository: Repository, pack: Pack) -> Iterator[Problem]:
    """Names in the skills that a release lacks, and names of which a release was not asked.

    A sentence may use a name that some releases lack if it says which it means, and any name that
    the page of a case uses that it cites.
    """
    names = load_names(repository)
    releases = sorted({it for answers in names.values() for it in answers}, key=Version)
    for one in _named(repository, pack):
        answers = names.get(one.key, {})
        missing = [it for it in releases if it not in answers]
        lacking = [it for it in releases if answers.get(it) is False]
        if (missing or not releases) and (answers or not one.flag):
            on = f"torch {', '.join(missing)}" if missing else "any torch"
            message = f"names {one.key!r}, which {on} was not asked for; run"
            yield one.problem(f"{message} `python -m validators skills names --python P`")
        elif lacking and not _is_explained(one, len(lacking) < len(releases), repository):
            message = f"names {one.key!r}, which torch {', '.join(lacking)} lacks; correct it,"
            yield one.problem(f"{message} say which releases have it, or cite a case about it")


@dataclass(frozen=True)
class _Name:
    """A name in a skill, what to ask torch about it, and the sentence around it.

    A flag is a bare name that may belong to the user's own code: it counts as soon as one release
    has it in one of the configurations.
    """

    page: Path
    line: int
    key: str
    asked: tuple[Claim, ...]
    around: str
    flag: bool = False

    def answer(self, answers: dict[Claim, bool | None]) -> bool | None:
        told = [answers[it] for it in self.asked]
        return any(told) if self.flag else told[0]

    def problem(self, message: str) -> Problem:
        return Problem(self.page, self.line, message)


def _is_explained(one: _Name, on_some: bool, repository: Repository) -> bool:
    if on_some and _RELEASE.search(one.around):
        return True
    cases = (repository.catalog.by_any_name.get(name) for _, name in citations(one.around))
    last = one.key.split(" ")[1].rpartition(".")[2]
    return any(case and last in f"{case.meta.claim} {case.body}" for case in cases)


def _named(repository: Repository, pack: Pack) -> list[_Name]:
    found = []
    for skill in pack.skills:
        page = repository.root / "skills" / skill.name / "SKILL.md"
        for passage in passages(page) if page.exists() else ():
            found += list(_of_passage(passage))
    return found


def _of_passage(passage: Passage) -> Iterator[_Name]:
    page, around = passage.file, passage.around
    # A sentence that denies something makes no claim; what it names is asked for all the same.
    for line, claim in claims_of(replace(passage, around="")):
        parts = (claim.what, claim.subject, claim.argument)
        yield _Name(page, line, " ".join(filter(None, parts)), (claim,), around)
    for flag in _FLAG.findall(passage.text) if passage.kind == "prose" else ():
        asked = tuple(Claim("name", f"{config}.{flag}") for config in _CONFIGS)
        yield _Name(page, passage.line, f"flag {flag}", asked, around, flag=True)
