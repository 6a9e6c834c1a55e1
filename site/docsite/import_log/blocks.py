"""A log cut at its headings: entries, and text that belongs to none."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from docsite.import_log.spans import Span, spans
from validators.errors import Problem

FORM = "## YYYY-MM-DD — Type: Title"
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)(.*)")
_GLUED = re.compile(r" {0,3}#{2,6}+[^\s#]")
_STARTS_DATED = re.compile(r" {0,3}#{0,6}[0-9]{4}-[0-9]")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
# U+2013 and U+2014 are dashes, too; one that joins a number, as in a range of days, parts nothing.
_DATED = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?: ?[\u2013\u2014]+(?![\u2013\u20140-9]) ?| [\u2013\u2014-]+ |: | |:?$)"
    r"(.*)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log; `literal` is what stands in a code block or a comment."""

    number: int
    text: str
    role: Literal["heading", "section", "text", "literal"]


@dataclass
class Block:
    """Consecutive lines: an entry with its `date`, or text and `why` it is in none.

    `words` are what the heading says, of an entry beside the date.
    """

    date: datetime.date | None
    words: str = ""
    why: str = ""
    lines: list[Line] = field(default_factory=list)


def blocks(path: Path, lines: list[str]) -> tuple[list[Block], list[Problem]]:
    """The blocks of the log in order, and which lines may be no headings though meant as such."""
    problems: list[Problem] = []
    preamble = Block(None, why=f"stands before the first entry; head it `{FORM}`, or leave it out")
    found = [preamble]
    for line in _lines(path, lines, problems):
        if line.role == "heading":
            opened = _opened(line.text)
            # A preamble has headings of its own: only what was meant as an entry ends it.
            if found[-1] is not preamble or opened.date or opened.words:
                found.append(opened)
        found[-1].lines.append(line)
    return [block for block in found if any(line.text.strip() for line in block.lines)], problems


def shifted(section: str) -> str:
    """A section's heading, one level up."""
    return section.replace("#", "", 1)


def _opened(line: str) -> Block:
    """The block that a heading opens."""
    heading = _ATX.match(line)
    words = _words(heading[2] if heading else line.lstrip(" #"))
    if not words[:1].isdecimal():
        return Block(None, why=f"has no date; head it `{FORM}`, or as a section with `###`")
    dated = _DATED.match(words)
    try:
        date = datetime.date.fromisoformat(dated[1] if dated else "")
    except ValueError:
        word = words.split()[0][:40]
        return Block(None, words, f"is headed by `{word}`, which is no date; write `{FORM}`")
    if not heading or len(heading[1]) != 2:
        return Block(None, words, f"has a date, but no heading of an entry; write `{FORM}`")
    return Block(date, dated[2] if dated else "")


def _words(heading: str) -> str:
    """A heading's text in one line, without the marks that may close it."""
    words = " ".join(heading.split())
    bare = words.rstrip("#")
    return words if bare[-1:].strip() else bare.rstrip()


def _lines(path: Path, lines: list[str], problems: list[Problem]) -> Iterator[Line]:
    end = 0
    for span in [*spans(lines), Span("comment", len(lines), len(lines), closed=True)]:
        for index in range(end, span.first):
            yield _line(path, lines, index, problems)
        end = min(span.last + 1, len(lines))
        if not span.closed:
            problems.append(Problem(path, span.first + 1, _UNCLOSED[span.kind]))
        for index in range(span.first, end):
            yield Line(index + 1, lines[index], "literal")
            problems += _hidden(path, lines[index], index + 1, span)


_UNCLOSED = {
    "code block": "opens a code block that is never closed, so all that follows is code; close it",
    "comment": "opens a comment that is never closed and so hides nothing; close it with `-->`",
}


def _line(path: Path, lines: list[str], index: int, problems: list[Problem]) -> Line:
    text, number = lines[index], index + 1
    heading = _ATX.match(text)
    if not heading:
        below = lines[index + 1] if number < len(lines) else ""
        glued = _GLUED.match(text)
        if _STARTS_DATED.match(text) and (glued or _UNDERLINE.fullmatch(below)):
            return Line(number, text, "heading")
        if glued:
            message = "is no heading without a space after the `#` and stays text; put one in"
            problems.append(Problem(path, number, message))
        return Line(number, text, "text")
    if len(heading[1]) < 3:
        return Line(number, text, "heading")
    if _DATED.match(_words(heading[2])):
        message = f"is a section of the entry above; if it is one of its own, write `{FORM}`"
        problems.append(Problem(path, number, message))
    return Line(number, text, "section")


def _hidden(path: Path, text: str, number: int, span: Span) -> Iterator[Problem]:
    heading = _ATX.match(text)
    if heading and len(heading[1]) == 2 and _DATED.match(_words(heading[2])):
        message = (
            f"stands in the {span.kind} that begins in line {span.first + 1} and so is no entry; "
            "close that if it should be one"
        )
        yield Problem(path, number, message)
