"""The text of a log in any encoding, as lines that a page can hold."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from validators.catalog.page import CONTROL
from validators.errors import Problem

# The longer mark first: that of UTF-32 begins like that of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32-LE",
    codecs.BOM_UTF32_BE: "UTF-32-BE",
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF16_LE: "UTF-16-LE",
    codecs.BOM_UTF16_BE: "UTF-16-BE",
}
# YAML takes two characters less than a page.
_UNFIT = re.compile(f"{CONTROL.pattern}|[\ufffe\uffff]")


def read_lines(path: Path, raw: bytes) -> tuple[list[str], list[Problem]]:
    """The lines of the log `raw`, read from `path`, and what had to be changed to read them."""
    text, problems = _decode(path, raw)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    unfit = [index for index, line in enumerate(lines) if _UNFIT.search(line)]
    for index in unfit:
        lines[index] = _UNFIT.sub(_escaped, lines[index])
    message = "holds control characters, which no page may; they are escaped, remove them"
    problems += [Problem(path, first + 1, message, last + 1) for first, last in _ranges(unfit)]
    return lines, problems


def _decode(path: Path, raw: bytes) -> tuple[str, list[Problem]]:
    """A byte-order mark is trusted; what has none is UTF-8 or else what Windows used to write."""
    for mark, encoding in _MARKS.items():
        if raw.startswith(mark):
            return _marked(path, raw.removeprefix(mark), encoding)
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
    encoding = "cp1252"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = raw.decode(encoding)
    message = f"is not UTF-8 and was read as {encoding}; if this line looks wrong, save it as UTF-8"
    return text, [Problem(path, line, message)]


def _marked(path: Path, raw: bytes, encoding: str) -> tuple[str, list[Problem]]:
    text = raw.decode(encoding, "backslashreplace")
    said = [] if encoding == "UTF-8" else ["its byte-order mark says"]
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        said.append("with escapes for bytes that are not")
    message = f"was read as {encoding}, {' '.join(said)}; save it as UTF-8 if letters look wrong"
    return text, [Problem(path, 0, message)] if said else []


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def _ranges(indexes: list[int]) -> Iterator[tuple[int, int]]:
    """The first and last of each run of consecutive numbers."""
    start = 0
    for at in range(1, len(indexes) + 1):
        if at == len(indexes) or indexes[at] != indexes[at - 1] + 1:
            yield indexes[start], indexes[at - 1]
            start = at
