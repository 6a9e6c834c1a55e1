"""What a line of a log is worth, and the release of torch that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_PREFIX = re.compile(
    r"(?:\[?\w+\d+\]?: ?)?(?:\[?[VIWEDC]\d{4} |\[?\d{4}-\d\d-\d\d)[^\]]{0,200}\]\s*"
    r"(?:\[[^\]]{0,80}\]:?\s*){0,6}"
)
"""Rank, level, time and place, as torch's loggers write them in front of a message."""
_FRAME = re.compile(r'\s*File "([^"]*)", line \d+')
_LIBRARY = re.compile(r"(?:site|dist)-packages|/lib/python\d|/torch/|<frozen|<string>")
_EXCEPTION = re.compile(
    r"[\w.]{0,200}(?:Error|Exception|Unsupported|Warning|Failed|Violation)\w{0,40}:"
)
_TELLING = re.compile(
    r"graph break|gb\d{4}|recompil|skipping cudagraphs|mutated|guard|specializ|unsupported"
    r"|explanation:|hint:|reason:|expected|dynamo|inductor|assert|warn|fail|cannot|could not"
    r"|not supported",
    re.IGNORECASE,
)
_TORCH = re.compile(
    r"torch(?:==|-| version:? |\.__version__[^0-9]{0,12}| )\s{0,4}"
    r"v?([1-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clue:
    """A line without its prefix, its number, and how much its words weigh: 0 nothing, 3 most."""

    number: int
    text: str
    weight: int


def clues(lines: Iterable[tuple[int, str]]) -> Iterator[Clue]:
    """The lines with their weights; the code of libraries in a traceback says nothing."""
    inside_library = False
    for number, line in lines:
        text = line[found.end() :] if (found := _PREFIX.match(line)) else line
        frame = _FRAME.match(text)
        if frame:
            inside_library = bool(_LIBRARY.search(frame[1]))
        elif not text.startswith("    "):
            inside_library = False
        if text:
            yield Clue(number, text, 0 if frame or inside_library else _weight(text))


def torch_release(text: str) -> str:
    """The release of torch that a line names, such as "2.13.0", or ""."""
    found = _TORCH.search(text)
    return found[1] if found else ""


def _weight(text: str) -> int:
    if _EXCEPTION.match(text):
        return 3
    return 2 if _TELLING.search(text) else 1
