"""Code blocks and comments of a Markdown text: lines in which no heading is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)(.*)")


@dataclass(frozen=True)
class Span:
    """A code block or comment, by the indexes of its first and last line."""

    kind: Literal["code block", "comment"]
    first: int
    last: int
    closed: bool


def spans(lines: list[str]) -> Iterator[Span]:
    """The fenced code blocks and the comments, in order.

    A code block that is never closed reaches to the end, as in Markdown; a comment ends with
    its first line then, lest it hide what follows.
    """
    index = 0
    while index < len(lines):
        span = _code(lines, index) or _comment(lines, index)
        if span:
            yield span
        index = span.last + 1 if span else index + 1


def _code(lines: list[str], first: int) -> Span | None:
    opening = _FENCE.match(lines[first])
    if not opening or (opening[1][0] == "`" and "`" in opening[2]):
        return None
    for index in range(first + 1, len(lines)):
        mark = _FENCE.match(lines[index])
        if mark and mark[1].startswith(opening[1]) and not mark[2].strip():
            return Span("code block", first, index, closed=True)
    return Span("code block", first, len(lines) - 1, closed=False)


def _comment(lines: list[str], first: int) -> Span | None:
    """The comment that begins line `first`, if that line does not end it, too."""
    line = lines[first]
    if not line.lstrip().startswith("<!--") or line.rfind("-->") > line.rfind("<!--"):
        return None
    for index in range(first + 1, len(lines)):
        begins, ends = lines[index].find("<!--"), lines[index].find("-->")
        if begins >= 0 and (ends < 0 or begins < ends):  # where another begins, one was forgotten
            break
        if ends >= 0:
            return Span("comment", first, index, closed=True)
    return Span("comment", first, first, closed=False)
