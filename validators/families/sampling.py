"""A line that a pattern fits, made from the pattern."""

from __future__ import annotations

import re

from validators.catalog.patterns import tokens_of

_CLASSES = {r"\d": "1", r"\w": "a", r"\s": " ", r"\S": "a", r"\W": " ", r"\D": "a", ".": "a"}
_NOTHING = {"^": "", "$": "", r"\b": "", r"\B": ""}
_OPTIONAL = ("*", "?", "{0,")


def sample_of(pattern: str) -> str:
    """A line that `pattern` fits in all likelihood: its first choices, each repeated once at most.

    What may be left out is left out, and what is looked for ahead is not there.
    """
    return _sequence(tokens_of(pattern), 0)[0]


def _sequence(tokens: list[str], place: int) -> tuple[str, int]:
    """The sample of the tokens from `place` to the end of their group, and the place after it."""
    made, choosing = "", True
    while place < len(tokens) and tokens[place] != ")":
        token = tokens[place]
        place += 1
        if token.startswith("(") and token != r"\(":
            text, place = _sequence(tokens, place)
            place += 1
            text = "" if token in ("(?!", "(?=") else text
        elif token == "|":
            text, choosing = "", False
        else:
            text = _one(token)
        following = tokens[place] if place < len(tokens) else ""
        if re.fullmatch(r"[*+?]\??|\{.*\}", following):
            place += 1
            text = "" if following.startswith(_OPTIONAL) else text
        made += text if choosing else ""
    return made, place


def _one(token: str) -> str:
    """A character that fits one token."""
    if token in _NOTHING:
        return ""
    if token in _CLASSES:
        return _CLASSES[token]
    if token.startswith("["):
        return _of_class(token)
    return token[1:] if token.startswith("\\") else token


def _of_class(token: str) -> str:
    fits = re.compile(token, re.ASCII)
    return next((it for it in " a1A_./'\"-=:,()" if fits.fullmatch(it)), "a")
