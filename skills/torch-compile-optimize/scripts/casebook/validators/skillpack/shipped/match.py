"""From a query, a log or a traceback to the cases that answer it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from validators.match import lines_of
from validators.match.results import MatchOutput, matched
from validators.skillpack.shipped.answer import Answer, knowledge, within

_LINES, _WIDTH = 3, 200
ABOUT = """Name the cases that answer a query, or explain a log or a traceback.

For example: casebook match compile.log
For example: casebook match "every sequence length compiles"
For example: echo "hit config.recompile_limit (8)" | casebook match -"""
STATUS = "0 a case is named, 1 none is, 2 wrong usage."


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the verb's own options."""
    verb.add_argument("text", nargs="+", help="A file, - for standard input, or a query.")


def answer(given: argparse.Namespace) -> Answer:
    """The answer on the text that the options name."""
    result = matched(knowledge(), lines_of(" ".join(given.text)))
    short = asdict(result) if given.full else _short(result)
    return short, 0 if result.matches else 1


def _short(found: MatchOutput) -> dict[str, Any]:
    plain = asdict(found)
    for match in plain["matches"]:
        match["lines"] = match["lines"][:_LINES]
        for line in match["lines"]:
            line["text"] = line["text"].strip()[:_WIDTH]
    return within(plain, ["matches"], full=False)
