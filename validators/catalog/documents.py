"""Guides and skills: prose that is neither a case nor a log entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from validators.catalog.case import first_heading
from validators.catalog.page import InvalidPage, load_yaml, read_text, split_page
from validators.catalog.prose import is_made
from validators.errors import Problem


@dataclass(frozen=True)
class Document:
    """A page of prose that is neither a case nor a log entry: a guide, a skill or its reference.

    `name` is its path below the folder of its `kind`; `skill` is the skill that it belongs to.
    """

    kind: str
    name: str
    path: Path
    title: str
    description: str
    body: str
    body_line: int
    skill: str = ""


def load_documents(parent: Path, kind: str) -> tuple[list[Document], list[Problem]]:
    """The readable documents that people wrote in the folder `kind`, and defects of the others."""
    found, problems = [], []
    for path in sorted(it for it in (parent / kind).rglob("*.md") if not is_made(it)):
        try:
            found.append(_document(parent / kind, kind, path))
        except InvalidPage as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(path, 0, f"cannot be read ({error.strerror}); fix the file"))
    return found, problems


def _document(folder: Path, kind: str, path: Path) -> Document:
    place = path.relative_to(folder)
    skill = place.parts[0] if kind == "skills" and len(place.parts) > 1 else ""
    main = place.name == "SKILL.md"
    name = str(place.parent if main else place.with_suffix(""))
    body, line, data = read_text(path), 1, {}
    if body.startswith("---\n"):
        source, body, line = split_page(path)
        data = load_yaml(path, source)
        if not isinstance(data, dict):
            raise InvalidPage(
                [Problem(path, 1, "front matter is not a mapping; write `key: value`")]
            )
    title = str(data.get("name" if main else "title") or first_heading(body) or place.stem)
    return Document(kind, name, path, title, str(data.get("description") or ""), body, line, skill)
