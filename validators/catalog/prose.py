"""All prose of a repository that may cite cases and give figures, as written."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.catalog.citations import citations
from validators.catalog.discovery import Catalog
from validators.errors import Problem
from validators.files import PROGRAM, read_file

MADE = b"<!-- Made by "
"""Begins a file that a program writes from what people wrote elsewhere."""


@dataclass(frozen=True)
class Prose:
    """The Markdown of one file, from line `first` on; `problem` says why it cannot be read."""

    path: Path
    first: int
    text: str
    problem: str = ""


def load_prose(repository: Path, catalog: Catalog) -> list[Prose]:
    """The pages of the catalog, and all other prose of the repository."""
    pages = [Prose(case.page, case.body_line, case.body) for case in catalog.cases]
    others = (p for p in prose_files(repository) if not p.is_relative_to(catalog.root))
    return pages + [read_prose(path) for path in others]


def prose_files(repository: Path) -> list[Path]:
    """The README, and every Markdown file of playbooks and skills that people wrote."""
    found = [path for path in [repository / "README.md"] if path.exists()]
    for folder in ("playbooks", "skills"):
        found += sorted(path for path in (repository / folder).rglob("*.md") if not is_made(path))
    return found


def is_made(path: Path) -> bool:
    """Whether a program writes the file at `path`; a file that cannot be read is not."""
    try:
        return read_file(path, len(MADE)).startswith(MADE)
    except OSError:
        return False


def read_prose(path: Path) -> Prose:
    """The text of one file, or why it cannot be read."""
    try:
        return Prose(path, 1, read_file(path).decode("utf-8"))
    except UnicodeDecodeError:
        return Prose(path, 1, "", "is not UTF-8; save it as UTF-8")
    except OSError as error:
        return Prose(path, 1, "", f"cannot be read ({error.strerror}); fix the file")


def unknown_citations(prose: Prose, names: Container[str]) -> Iterator[Problem]:
    """A problem for each citation of a name that is not among `names`."""
    for line, name in citations(prose.text):
        if name not in names:
            message = f"cites {name!r}, which is not a case; `{PROGRAM} list` shows all"
            yield Problem(prose.path, prose.first + line - 1, message)
