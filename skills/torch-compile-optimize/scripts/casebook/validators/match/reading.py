"""The lines of a log or a query, read in bounded memory and without control characters."""

from __future__ import annotations

import io
import itertools
import json
import os.path
import re
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from validators.errors import CasebookError
from validators.match.language.rules import RULES

_ESCAPES = re.compile(RULES.escapes)
_SPACES = re.compile(RULES.spaces)
_CONTROLS = re.compile(RULES.controls)
_PATH = re.compile(r"(?!\w+://)\S*[/\\]\S*|\S+\.(?:log|txt|out|err|jsonl?|gz|py)")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def lines_of(argument: str) -> Iterator[tuple[int, str]]:
    """The lines of what a user names: a file, standard input (-), or else a query.

    Raises:
        CasebookError: it looks like a file, and there is none.
        OSError: the file cannot be read.
    """
    if argument == "-":
        yield from read_lines(sys.stdin.buffer)
    elif os.path.exists(argument):  # noqa: PTH110 - a long query is no name, and no error either
        with open(argument, "rb") as file:  # noqa: PTH123 - also a pipe that a shell made
            yield from read_lines(file)
    elif _PATH.fullmatch(argument):
        raise CasebookError(
            f"{argument}: there is no such file; name one, - for standard input, or words to find"
        )
    else:
        yield from read_lines(io.BytesIO(argument.encode("utf-8", "replace")))


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines of `stream` with their numbers from 1, without terminal escapes and controls.

    It may be UTF-8 or, with a byte-order mark, UTF-16; invalid bytes are replaced. A line of JSON,
    as in tlparse's `raw.jsonl`, yields each of its strings as lines of their own.
    """
    buffered = io.BufferedReader(stream)  # type: ignore[type-var]
    encoding = "utf-16" if buffered.peek(2)[:2] in _UTF16 else "utf-8-sig"
    number = 1
    with io.TextIOWrapper(buffered, encoding=encoding, errors="replace") as text:
        while piece := text.readline(RULES.piece):
            for line in _texts(piece):
                yield number, _clean(line)
            number += piece.endswith("\n")


def _texts(piece: str) -> Iterator[str]:
    if piece.startswith("{"):
        try:
            yield from _strings(json.loads(piece))
            return
        except (ValueError, RecursionError):
            pass  # not JSON, or a piece of it
    yield piece


def _strings(value: Any) -> Iterator[str]:
    """The lines of all strings in a JSON value, and of its keys: some name what happened."""
    if isinstance(value, str):
        yield from value.split("\n")
    elif isinstance(value, dict):
        for item in itertools.chain(value, value.values()):
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _clean(line: str) -> str:
    if len(line) > RULES.longest:
        line = f"{line[: RULES.longest - RULES.end]} {line[-RULES.end :]}"
    line = line.rstrip(" \t\n")
    if line.isprintable():
        return line
    return _CONTROLS.sub("", _SPACES.sub(" ", _ESCAPES.sub("", line))).rstrip(" \t\n")
