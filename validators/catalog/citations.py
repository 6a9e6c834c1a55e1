"""Citations of cases in prose: `` `case:NAME` ``."""

from __future__ import annotations

import re
from collections.abc import Iterator

CITATION = re.compile(r"`case:([A-Za-z0-9_]+)`")


def citations(text: str) -> Iterator[tuple[int, str]]:
    """The cited names of a Markdown text, with their lines."""
    for number, line in enumerate(text.split("\n"), 1):
        for match in CITATION.finditer(line):
            yield number, match[1]
