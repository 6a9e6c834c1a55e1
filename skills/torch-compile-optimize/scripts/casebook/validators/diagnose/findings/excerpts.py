"""The lines around a finding's place, for pages that show them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from validators.diagnose.findings.finding import Excerpt, Finding, Place

_AROUND = 4
_WIDEST = 200
"""Longer lines are cut; nobody reads generated code in a report."""


def with_excerpt(finding: Finding) -> Finding:
    """The finding with the lines around its place, as far as its file can be read."""
    if finding.place is None or (excerpt := _around(finding.place)) is None:
        return finding
    return replace(finding, excerpt=excerpt)


def _around(place: Place) -> Excerpt | None:
    try:
        lines = Path(place.file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    if not 0 < place.line <= len(lines):
        return None
    first = max(1, place.line - _AROUND)
    kept = lines[first - 1 : place.line + _AROUND]
    return Excerpt(first, [line[:_WIDEST] for line in kept])
