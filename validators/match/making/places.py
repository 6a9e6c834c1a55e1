"""Where in a pattern stands the text that each line holds which it matches."""

from __future__ import annotations

import re

from validators.catalog.patterns import tokens_of

_ESCAPED = re.compile(r"\\[^\w]")


def place_of_literal(pattern: str) -> tuple[int, int]:
    """Where in `pattern` stands the longest text that every line matching it holds.

    The place is empty if no text is certain.
    """
    places, start, at, length, depth = [(0, 0, 0)], 0, 0, 0, 0
    tokens = tokens_of(pattern)
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        plain = token[1] if _ESCAPED.fullmatch(token) else token
        depth += token.startswith("(")
        if token == "|" and not depth:
            return 0, 0
        special = depth > 0 or len(plain) > 1 or (plain == token and token in ".^$*+?{}()[]")
        depth -= token == ")"
        at += len(token)
        if special or following[:1] in ("*", "?", "{"):
            start, length = at, 0
        else:
            length += 1
            places.append((length, start, at))
    _, start, stop = max(places, key=lambda it: it[0])
    return start, stop
