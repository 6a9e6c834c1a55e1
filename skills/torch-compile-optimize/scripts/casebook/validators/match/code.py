"""The user's lines in a log, by which cases with the same messages differ."""

from __future__ import annotations

import re
from collections.abc import Iterable

from validators.match.index import Index
from validators.match.language.rules import RULES
from validators.match.log_lines import LogLine

_COMMENT = re.compile(RULES.code_comment, re.ASCII)


class Code:
    """Collects the lines that follow a traceback's frames, and those behind a guard."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._expected = False

    def read(self, line: LogLine) -> None:
        """Take in the next line of a log."""
        found = _COMMENT.search(line.text) if "# " in line.text else None
        if found or (self._expected and not line.frame and len(self._lines) < RULES.code_lines):
            self._lines[(found[1] if found else line.text).strip()] = None
        self._expected = bool(line.frame)

    def worths(self, index: Index) -> dict[int, int]:
        """What each case with patterns of code gains, or loses if none of its patterns fits."""
        if not self._lines:
            return {}
        return {
            number: RULES.code_worth if _fits(patterns, self._lines) else -RULES.code_worth
            for number, patterns in index.code
        }


def _fits(patterns: Iterable[str], lines: Iterable[str]) -> bool:
    return any(re.search(it, line, re.ASCII) for it in patterns for line in lines)
