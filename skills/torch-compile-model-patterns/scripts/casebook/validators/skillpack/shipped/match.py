"""From a query, a log or a traceback to the cases that answer it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from validators.match import GUESSES, LEARN_MORE, NOTHING, lines_of
from validators.match.results import MatchOutput, matched
from validators.skillpack.shipped import command

_LINES, _WIDTH = 3, 200
_ABOUT = """Name the cases that answer a query, or explain a log or a traceback.

For example: python scripts/match.py compile.log
For example: python scripts/match.py "every sequence length compiles"
For example: echo "hit config.recompile_limit (8)" | python scripts/match.py -"""


def main(arguments: list[str]) -> command.Answer:
    """The answer on the file that the arguments name."""
    made = command.parser("match", _ABOUT, "0 it names a case, 1 it names none, 2 wrong usage.")
    made.add_argument("text", nargs="+", help="A file, - for standard input, or a query.")
    given = made.parse_args(arguments)
    found = matched(command.knowledge(), lines_of(" ".join(given.text)))
    short = asdict(found) if given.full else _short(found)
    return {**short, "note": _note(found)}, 0 if found.matches else 1


def _short(found: MatchOutput) -> dict[str, Any]:
    plain = asdict(found)
    for match in plain["matches"]:
        match["lines"] = match["lines"][:_LINES]
        for line in match["lines"]:
            line["text"] = line["text"].strip()[:_WIDTH]
    return command.within(plain, ["matches"], full=False)


def _note(found: MatchOutput) -> str:
    learn = LEARN_MORE if found.heading in (NOTHING, GUESSES) else ""
    return f"{found.heading} {learn}".strip()
