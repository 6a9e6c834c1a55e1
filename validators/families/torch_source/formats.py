"""Formats: what a program prints, with a hole in braces for each part that it computes.

`"mutated inputs ({len(indices)} instances)"` is one. `{{` and `}}` stand for braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_PIECE = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_IN_BRACKETS = re.compile(r"\([^()]*\{[^{}]*\}[^()]*\)")
_FEW = "a an the of to is be it in on at and or for this that with"
_SLUG_WORDS = 7


def escaped(text: str) -> str:
    """The format that prints exactly `text`."""
    return text.replace("{", "{{").replace("}", "}}")


def hole(name: str) -> str:
    """A hole, named in torch's words if that is short enough to read."""
    name = " ".join(name.split())
    return f"{{{name}}}" if len(name) <= 40 and not set("{}") & set(name) else "{…}"


@cache
def parts_of(text: str) -> tuple[str, ...]:
    """The literal texts of a format; between each two of them is a hole."""
    literals, last = [""], 0
    for piece in _PIECE.finditer(text):
        literals[-1] += text[last : piece.start()]
        last = piece.end()
        if piece[0] in ("{{", "}}"):
            literals[-1] += piece[0][0]
        else:
            literals.append("")
    literals[-1] += text[last:]
    return tuple(literals)


def filled(text: str, filling: Callable[[str], str]) -> str:
    """What the format prints if each hole holds what `filling` gives for its name."""
    names = [it[0][1:-1] for it in _PIECE.finditer(text) if it[0] not in ("{{", "}}")]
    first, *rest = parts_of(text)
    return first + "".join(filling(it) + part for it, part in zip(names, rest, strict=True))


def shape_of(text: str) -> str:
    """The format without the names of its holes, by which formats are compared."""
    return " ".join("{}".join(escaped(it) for it in parts_of(text)).split())


def letters_of(text: str) -> int:
    """How many letters of the format are literal."""
    return sum(map(str.isalpha, "".join(parts_of(text))))


def slug_of(text: str, words: int = _SLUG_WORDS) -> str:
    """A key made of the first telling words of a format; "" if it has none.

    Text in brackets around a hole does not count, so that `mutated inputs ({n} instances)` and
    `mutated inputs` have the same key.
    """
    without = _IN_BRACKETS.sub(" ", text)
    found = [it.lower() for it in _WORD.findall(" ".join(parts_of(without)))]
    telling = [it for it in found if it not in _FEW.split()] or found
    return "-".join(telling[:words])


def of_registry(text: str) -> str:
    """A text of torch's registry as a format: it writes holes as f-strings do, nested or not."""
    made, depth, start = "", 0, 0
    for place, letter in enumerate(text):
        if letter == "{":
            start = place + 1 if not depth else start
            depth += 1
        elif letter == "}" and depth:
            depth -= 1
            made += hole(text[start:place]) if not depth else ""
        elif not depth:
            made += escaped(letter)
    return made if not depth else escaped(text)
