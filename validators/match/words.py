"""The words of a text as the index knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "es", "ed", "s", "e")
_COMMON = re.compile(
    "about|after|all|also|and|any|are|because|been|before|being|both|but|can|does|each|for|from|has"
    "|have|how|into|its|just|like|more|most|not|one|only|other|our|out|over|same|should|some|such"
    "|than|that|the|their|them|then|there|these|they|this|those|too|use|used|using|very|was|what"
    "|when|where|which|while|who|why|will|with|would|you|your"
)


def words(text: str) -> Iterator[str]:
    """Names as they stand, in lower case, and the stems of the words that they are made of."""
    for name in _NAME.findall(text):
        yield from _pieces(name)


@lru_cache(maxsize=1 << 16)
def _pieces(name: str) -> tuple[str, ...]:
    pieces = [name.lower()] if "." in name else []
    for component in name.split("."):
        parts = _PART.findall(component)
        if len(parts) > 1:
            pieces.append(component.lower())
        stems = (part.lower() for part in parts)
        pieces += [_stem(word) for word in stems if len(word) > 2 and not _COMMON.fullmatch(word)]
    return tuple(pieces)


def _stem(word: str) -> str:
    """`word` without its ending, so that recompiles, recompiled and recompilation are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
