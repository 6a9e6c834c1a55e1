"""From a log, a traceback or a sentence to the cases that explain it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any, BinaryIO

from validators.match import GUESSES, LEARN_MORE, NOTHING, read_lines
from validators.match.results import MatchOutput, matched
from validators.skillpack.shipped import command

_LINES, _WIDTH = 3, 200
_ABOUT = """Name the cases that explain a log, a traceback or a sentence.

For example: python scripts/match.py compile.log
For example: echo "hit config.recompile_limit (8)" | python scripts/match.py -"""


def main(arguments: list[str]) -> command.Answer:
    """The answer on the file that the arguments name."""
    made = command.parser("match", _ABOUT, "0 it names a case, 1 it names none, 2 wrong usage.")
    made.add_argument("file", help="A file, or - for standard input.")
    given = made.parse_args(arguments)
    if given.file == "-":
        found = _answer(sys.stdin.buffer)
    else:
        with open(given.file, "rb") as file:  # noqa: PTH123 - also a pipe that a shell made
            found = _answer(file)
    short = asdict(found) if given.full else _short(found)
    return {**short, "note": _note(found)}, 0 if found.matches else 1


def _answer(file: BinaryIO) -> MatchOutput:
    return matched(command.knowledge(), read_lines(file))


def _short(found: MatchOutput) -> dict[str, Any]:
    plain = asdict(found)
    for match in plain["matches"]:
        match["lines"] = match["lines"][:_LINES]
        for line in match["lines"]:
            line["text"] = line["text"].strip()[:_WIDTH]
    return command.within(plain, ["matches"], full=False)


def _note(found: MatchOutput) -> str:
    if found.matches and found.matches[0].lines:
        return ""
    return f"{GUESSES if found.matches else NOTHING} {LEARN_MORE}"
