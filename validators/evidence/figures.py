"""Numbers in prose that come from evidence.

`<!-- figure NAME symptom.ops torch-2.13.0-cpu -->577<!-- /figure -->`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validators.evidence.stored.store import Evidence

_MARKED = re.compile(
    r"<!-- figure (?P<case>\S+) (?P<path>\S+) (?P<column>\S+) -->"
    r"(?P<value>(?:(?!<!--).)*)"
    r"<!-- /figure -->",
    re.DOTALL,
)
MARK = re.compile(r"<!--\s*/?figure\b")


@dataclass(frozen=True)
class Figure:
    """A marked number: what it names, its present text, and its line."""

    case: str
    path: str
    column: str
    value: str
    line: int


def figures(text: str) -> Iterator[Figure]:
    """The marked figures of a Markdown text, in order."""
    for match in _MARKED.finditer(text):
        yield Figure(**match.groupdict(), line=text.count("\n", 0, match.start()) + 1)


def stray_marks(text: str) -> Iterator[int]:
    """The line of each figure mark that is not half of a well-formed pair."""
    pairs = [match.span() for match in _MARKED.finditer(text)]
    for match in MARK.finditer(text):
        if not any(start <= match.start() < end for start, end in pairs):
            yield text.count("\n", 0, match.start()) + 1


def figure_text(evidence: Evidence, case: str, path: str, column: str) -> str:
    """What should stand between the marks.

    Raises:
        KeyError: the evidence has no such record, or the record has no value at `path` that fits
            into a line between two marks.
    """
    value = evidence[case, column].figure(path)
    if isinstance(value, dict) or value is None:
        raise KeyError(path)
    text = _written(value)
    if "<!--" in text or not text.isprintable():
        raise KeyError(path)
    return text


def fill(text: str, evidence: Evidence) -> str:
    """The text with each figure that the evidence knows set to its value there."""

    def replaced(match: re.Match[str]) -> str:
        try:
            value = figure_text(evidence, match["case"], match["path"], match["column"])
        except KeyError:
            return match[0]
        opening = match[0][: match.start("value") - match.start()]
        return f"{opening}{value}<!-- /figure -->"

    return _MARKED.sub(replaced, text)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
