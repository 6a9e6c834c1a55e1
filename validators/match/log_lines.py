"""The lines of a log: whether each tells anything, and the release of torch that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from validators.match.language.rules import RULES

_TRACKER = re.compile(RULES.tracker, re.ASCII)
_RANK = re.compile(RULES.rank, re.ASCII)
_PREFIX = re.compile(RULES.prefix, re.ASCII)
_FRAME = re.compile(RULES.frame, re.ASCII)
_LIBRARY = re.compile(RULES.library, re.ASCII)
_EXCEPTION = re.compile(RULES.exception, re.ASCII)
_LOGGED = re.compile(RULES.logged, re.ASCII)
_TORCH = re.compile(RULES.torch, re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class LogLine:
    """A line without its prefix, its number, and whether it says anything.

    `frame` is the file, line and function of a traceback that it names. `starts` says that nothing
    before it can go on in it. `length` is that of the whole line, `rank` the process it is from.
    """

    number: int
    text: str
    informative: bool
    frame: tuple[str, ...] = ()
    starts: bool = True
    length: int = 0
    rank: str = ""


def parse_lines(lines: Iterable[tuple[int, str]]) -> Iterator[LogLine]:
    """The lines that are not empty; a library's frames in a traceback are not informative."""
    inside_library = False
    for number, line in lines:
        rank = _RANK.search(line[: RULES.ranked]) if "]:" in line else None
        text = line[found.end() :] if (found := _TRACKER.match(line)) else line
        # Both patterns are slow to fail, and both need what few lines have.
        logged = _PREFIX.match(text) if "]" in text else None
        if logged:
            text = text[logged.end() :]
        elif found and (logged := _PREFIX.match(line)):
            text = line[logged.end() :]
        frame = _FRAME.match(text) if 'File "' in text else None
        if frame:
            inside_library = is_library(frame[1])
        elif not text.startswith("    "):
            inside_library = False
        if text:
            starts = bool(logged or frame) or text.startswith((" ", "-"))
            yield LogLine(
                number,
                text,
                not (frame or inside_library),
                (frame[1], frame[2], frame[3] or "") if frame else (),
                starts,
                len(line),
                rank[1] if rank else "",
            )


def is_exception(text: str) -> bool:
    """Whether a line names an exception, as the end of a traceback does."""
    return text[:1] != " " and bool(_EXCEPTION.match(text))


def is_library(file: str) -> bool:
    """Whether a file of a traceback belongs to a package or to Python itself."""
    return bool(_LIBRARY.search(file))


def is_logged(text: str) -> bool:
    """Whether a program printed the line, as its form shows."""
    return any(it.match(text) for it in (_PREFIX, _FRAME, _EXCEPTION, _LOGGED))


def torch_release(text: str) -> str:
    """The release of torch that a line names, such as "2.13.0", or ""."""
    found = _TORCH.search(text) if "torch" in text.lower() else None
    return found[1] if found else ""
