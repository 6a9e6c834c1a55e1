"""Checks of prose: what it cites exists, and its figures are what the evidence says."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from validators.catalog import Catalog
from validators.catalog.citations import citations
from validators.errors import Problem
from validators.evidence import Evidence, load_evidence
from validators.evidence.figures import Figure, figure_text, figures, fill, stray_marks
from validators.files import read_file

FIX = "run `python -m validators check --fix`"


@dataclass(frozen=True)
class Prose:
    """The Markdown of one file, from line `first` on; `problem` where it could not be read."""

    path: Path
    first: int
    text: str
    problem: str = ""


def read_prose(repository: Path, catalog: Catalog) -> list[Prose]:
    """The pages of the catalog, and all other prose of the repository."""
    pages = [Prose(case.page, case.body_line, case.body) for case in catalog.cases]
    others = (p for p in _files(repository) if not p.is_relative_to(catalog.root))
    return pages + [_read(path) for path in others]


def check_prose(prose: Prose, known: Set[str], evidence: Evidence) -> Iterator[Problem]:
    """Citations of names that are not `known`, and figures that the evidence does not bear out."""
    if prose.problem:
        yield Problem(prose.path, 0, prose.problem)
    for line, message in [*_citations(prose.text, known), *_figures(prose.text, evidence)]:
        yield Problem(prose.path, prose.first + line - 1, message)


def fix_figures(repository: Path, evidence_folder: Path) -> list[Path]:
    """Set every figure in the repository's prose to the evidence; the files that changed.

    Raises:
        CasebookError: a line of the evidence is not a record.
    """
    evidence = load_evidence(evidence_folder)
    changed = []
    for path in _files(repository):
        before = _read(path).text
        after = fill(before, evidence)
        if after != before:
            path.write_bytes(after.encode("utf-8"))
            changed.append(path)
    return changed


def _files(repository: Path) -> list[Path]:
    found = [path for path in [repository / "README.md"] if path.exists()]
    for folder in ("playbooks", "skills"):
        found += sorted((repository / folder).rglob("*.md"))
    return found


def _read(path: Path) -> Prose:
    try:
        return Prose(path, 1, read_file(path).decode("utf-8"))
    except UnicodeDecodeError:
        return Prose(path, 1, "", "is not UTF-8; save it as UTF-8")
    except OSError as error:
        return Prose(path, 1, "", f"cannot be read ({error.strerror}); mend the file")


def _citations(text: str, known: Set[str]) -> Iterator[tuple[int, str]]:
    for line, name in citations(text):
        if name not in known:
            yield line, f"cites {name!r}, which is no case; `python -m validators list` shows all"


def _figures(text: str, evidence: Evidence) -> Iterator[tuple[int, str]]:
    for figure in figures(text):
        if message := _wrong(figure, evidence):
            yield figure.line, message
    for line in stray_marks(text):
        form = "<!-- figure NAME PATH COLUMN -->...<!-- /figure -->"
        yield line, f"has a figure mark without its other half; write `{form}`"


def _wrong(figure: Figure, evidence: Evidence) -> str:
    """What is wrong with a figure; "" where it is what the evidence says."""
    record = f"{figure.case} in {figure.column}"
    try:
        right = figure_text(evidence, figure.case, figure.path, figure.column)
    except KeyError:
        if (figure.case, figure.column) in evidence:
            return f"figure: {record} has no {figure.path!r}; name something in that record"
        return f"figure: no evidence of {record}; run it there with --record or name another"
    if figure.value == right:
        return ""
    return f"figure: stands at {figure.value!r}, the evidence says {right!r}; {FIX}"
