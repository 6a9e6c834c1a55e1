"""What the skills name of torch, and on which releases it exists: `playbooks/skills_names.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import msgspec
from packaging.version import Version

from validators.audit.claims import Claim, claims_of, distinct
from validators.audit.judging import ask
from validators.audit.reading import Passage, passages
from validators.errors import CasebookError, Problem
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack.pack import Pack

FILE = "skills_names.json"
Names = dict[str, dict[str, bool | None]]
"""What each release of torch answers to each claim; None where it cannot tell."""
_RELEASE = re.compile(r"\btorch \d")


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
    wanted = distinct(claim for _, _, claim in _claims(repository, pack))
    told = dict(ask(python, wanted) for python in pythons)
    stored = load_names(repository)
    names: Names = {}
    for claim in sorted(wanted, key=_key):
        answers = stored.get(_key(claim), {}) | {it: told[it][claim] for it in told}
        names[_key(claim)] = {it: answers[it] for it in sorted(answers, key=Version)}
    lines = [f" {json.dumps(name)}: {json.dumps(answers)}" for name, answers in names.items()]
    text = ",\n".join(lines)
    (repository.playbooks / FILE).write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    return list(told)


def check_names(repository: Repository, pack: Pack) -> Iterator[Problem]:
    """Names in the skills that a release lacks, unless the sentence says which releases it means.

    A name that is not recorded of each release is a problem, too.
    """
    names = load_names(repository)
    releases = sorted({it for answers in names.values() for it in answers}, key=Version)
    for passage, line, claim in _claims(repository, pack):
        answers = names.get(_key(claim), {})
        missing = [it for it in releases if it not in answers]
        if missing or not releases:
            on = f"torch {', '.join(missing)}" if missing else "any torch"
            message = f"names {_key(claim)!r}, which {on} was not asked for; run"
            yield Problem(
                passage.file, line, f"{message} `python -m validators skills names --python P`"
            )
            continue
        lacking = [it for it in releases if answers[it] is False]
        told = len(lacking) < len(releases) and _RELEASE.search(passage.around)
        if lacking and not told:
            message = f"names {_key(claim)!r}, which torch {', '.join(lacking)} lacks; correct"
            yield Problem(passage.file, line, f"{message} it, or say which releases have it")


def _claims(repository: Repository, pack: Pack) -> Iterator[tuple[Passage, int, Claim]]:
    for skill in pack.skills:
        page = repository.root / "skills" / skill.name / "SKILL.md"
        for passage in passages(page) if page.exists() else ():
            yield from ((passage, line, claim) for line, claim in claims_of(passage))


def _key(claim: Claim) -> str:
    return " ".join(it for it in (claim.what, claim.subject, claim.argument) if it)
