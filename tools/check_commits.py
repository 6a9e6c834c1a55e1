"""Checks the subjects of the commits since this file was added: `python tools/check_commits.py`.

A subject says where and what: `AREA: VERB ...`, as in "match: name the users' logs by thread".
Merges are skipped, and so are branches that are older than this rule.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).resolve()
LONGEST = 72
_FORM = re.compile(r"[a-z0-9_./, -]+: (?P<verb>[a-z]+)\b")
_NO_IMPERATIVE = re.compile(r"(?!\w*(?:eed|embed)$)\w+ed|(?!bring$|string$|ping$)\w+ing")
_THIRD_PERSON = re.compile(r"(?!focus$|bias$|alias$)\w+[^s]s")


def defects(subject: str) -> Iterator[str]:
    """The defects of a subject, each with its remedy."""
    if len(subject) > LONGEST:
        yield f"has {len(subject)} characters; move what is beyond {LONGEST} to the body"
    if subject.endswith("."):
        yield "ends in a period; drop it"
    form = _FORM.match(subject)
    if not form:
        yield "is not `area: verb ...`; begin with the area, in lower case"
    elif _NO_IMPERATIVE.fullmatch(form["verb"]) or _THIRD_PERSON.fullmatch(form["verb"]):
        yield f"begins with {form['verb']!r}; write what the commit does, in the imperative: `add`"


def subjects(file: Path) -> Iterator[tuple[str, str]]:
    """The short hash and the subject of each commit after the one that added `file`.

    Raises:
        CalledProcessError: git reads no repository that holds `file`.
    """
    added = _git(file, "log", "--diff-filter=A", "--format=%H", "--", file.name).split()
    if added:
        since = ("--no-merges", "--ancestry-path", f"{added[-1]}..HEAD")
        for line in _git(file, "log", "--format=%h %s", *since).splitlines():
            commit, _, subject = line.partition(" ")
            yield commit, subject


def _git(file: Path, *arguments: str) -> str:
    command = ["git", "-C", str(file.parent), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(file: Path = FILE) -> int:
    """Print the defects of all subjects; returns the exit status."""
    try:
        found = list(subjects(file))
    except (OSError, subprocess.CalledProcessError):
        print("No commit was checked: git finds no repository here.")
        return 0
    wrong = [(commit, subject, it) for commit, subject in found for it in defects(subject)]
    for commit, subject, defect in wrong:
        print(f"{commit}: {subject!r} {defect}")
    print(f"{len(wrong)} problems in the subjects of {len(found)} commits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
