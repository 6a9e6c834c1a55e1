"""Styled text in lines: what commands print, before a terminal or a pipe gets it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from validators.evidence.words import Tone

Span = tuple[str, str]
"""A text, and its style as rich names it; "" is plain."""
Line = list[Span]
HEADING, CODE, NAME, DIM = "bold", "cyan", "bold cyan", "dim"
STYLES = {
    "confirmed": "green",
    "refuted": "red",
    "remedy-failed": "red",
    "unstable": "yellow",
    "undecided": "yellow",
    "unshown": "yellow",
    "unremedied": "yellow",
    "unexplained": "dim",
    "skipped": "dim",
    "error": "bold red",
}
"""The styles of verdicts, good ones first."""
TONES: dict[Tone, str] = {
    "bad": "red",
    "good": "green",
    "info": "cyan",
    "warn": "yellow",
    "none": "dim",
}
"""The styles of what a verdict means to a reader."""
_UNBROKEN = 30
"""Code of at most so many characters is not broken at its spaces."""


def width_of(line: Iterable[Span]) -> int:
    """The columns that a line takes."""
    return sum([columns_of(text) for text, _ in line])


def columns_of(text: str) -> int:
    """The columns that a text takes."""
    if text.isascii():
        return len(text)
    # Letters of some scripts take two columns, marks above letters none.
    wide = sum(unicodedata.east_asian_width(it) in "WF" for it in text)
    return len(text) + wide - sum(unicodedata.combining(it) > 0 for it in text)


def coded(text: str, style: str = "") -> Line:
    """A text of the front matter: backticks enclose code, and nothing else has a meaning."""
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:  # a backtick without a partner is only a backtick
        return [("`".join(parts), style)]
    styles = style, f"{style} {CODE}".strip()
    return [(it, styles[at % 2]) for at, it in enumerate(parts) if it]


def wrapped(spans: Iterable[Span], width: int) -> list[Line]:
    """The spans as lines of at most `width` columns, broken at spaces."""
    lines: list[Line] = []
    room = 0
    for word in words_of(spans):
        needed = width_of(word)
        if lines and needed < room:
            _append(lines[-1], word)
            room -= needed + 1
        else:
            lines.append(word)
            room = width - needed
    return lines


def _append(line: Line, word: Line) -> None:
    """Add a word and the space before it; what has one style stays one span."""
    (last, style), (first, of_word) = line[-1], word[0]
    if style == of_word:
        line[-1:] = [(f"{last} {first}", style), *word[1:]]
    else:
        line += [(" ", ""), *word]


def words_of(spans: Iterable[Span]) -> Iterator[Line]:
    """The parts between spaces; one part may have several styles."""
    word: Line = []
    for text, style in spans:
        whole = style.endswith(CODE) and len(text) <= _UNBROKEN
        for at, part in enumerate([text] if whole else re.split(r"\s+", text)):
            if at and word:
                yield word
                word = []
            if part:
                word.append((part, style))
    if word:
        yield word
