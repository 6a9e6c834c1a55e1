"""Checks of prose: its figures are what the evidence says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from validators.catalog.prose import Prose, prose_files, read_prose
from validators.errors import Problem
from validators.evidence import Evidence, load_evidence
from validators.evidence.figures import Figure, figure_text, figures, fill, stray_marks

FIX = "run `python -m validators check --fix`"


def check_prose(prose: Prose, evidence: Evidence) -> Iterator[Problem]:
    """Figures that the evidence does not bear out."""
    for line, message in _figures(prose.text, evidence):
        yield Problem(prose.path, prose.first + line - 1, message)


def fix_figures(repository: Path, evidence_folder: Path) -> list[Path]:
    """Set every figure in the repository's prose to the evidence; the files that changed.

    Raises:
        CasebookError: a file of the evidence is damaged.
    """
    evidence = load_evidence(evidence_folder)
    changed = []
    for path in prose_files(repository):
        before = read_prose(path).text
        after = fill(before, evidence)
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
