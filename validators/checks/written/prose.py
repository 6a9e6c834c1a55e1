"""Checks of prose: its figures and tables agree with the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from validators.catalog.prose import Prose, prose_files, read_prose
from validators.checks.written.tables import check_tables, fill_tables
from validators.errors import CasebookError, Problem
from validators.evidence import Evidence
from validators.evidence.figures import Figure, figure_text, figures, fill, stray_marks
from validators.repository import Repository

FIX = "run `python -m validators check --fix`"


def check_prose(prose: Prose, repository: Repository) -> Iterator[Problem]:
    """Figures and tables that differ from the evidence."""
    for line, message in _figures(prose.text, repository.evidence):
        yield Problem(prose.path, prose.first + line - 1, message)
    yield from check_tables(prose, repository)


def fix_prose(repository: Repository) -> list[Path]:
    """Update every figure and table in the repository's prose; return the changed files.

    Raises:
        CasebookError: a file of the evidence is damaged.
    """
    if repository.damaged:
        raise CasebookError(str(repository.damaged[0]))
    changed = []
    for path in prose_files(repository.root):
        before = read_prose(path).text
        after = fill_tables(fill(before, repository.evidence), repository)
        if after != before:
            path.write_bytes(after.encode("utf-8"))
            changed.append(path)
    return changed


def _figures(text: str, evidence: Evidence) -> Iterator[tuple[int, str]]:
    for figure in figures(text):
        if message := _wrong(figure, evidence):
            yield figure.line, message
    for line in stray_marks(text):
        form = "<!-- figure NAME PATH COLUMN -->...<!-- /figure -->"
        yield line, f"has a figure mark without its other half; write `{form}`"


def _wrong(figure: Figure, evidence: Evidence) -> str:
    """The defect of a figure; "" if it agrees with the evidence."""
    record = f"{figure.case} in {figure.column}"
    try:
        right = figure_text(evidence, figure.case, figure.path, figure.column)
    except KeyError:
        if (figure.case, figure.column) in evidence:
            return f"figure: {record} has no {figure.path!r}; name something in that record"
        return f"figure: no evidence of {record}; run it there with --record or name another"
    if figure.value == right:
        return ""
    return f"figure: is {figure.value!r}, but the evidence says {right!r}; {FIX}"
