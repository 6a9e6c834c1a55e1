"""The terms of a text, by which the index finds cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from validators.match.language.rules import RULES

_NAME = re.compile(RULES.name)
_PART = re.compile(RULES.part)
_NUMBERED = re.compile(RULES.numbered)
_ENDINGS = RULES.endings.split()
_COMMON = frozenset(RULES.common.split())


def terms_of(text: str) -> Iterator[str]:
    """Dotted and compound names in lower case, and the stems of the words in all names."""
    for name in names_in(text):
        yield from name_terms(name)


def names_in(text: str) -> list[str]:
    """The words and the dotted and compound names of a text."""
    return _NAME.findall(plain(text))


def plain(text: str) -> str:
    """The text with `C++` written as `Cpp`."""
    return text.replace("++", "pp")


@lru_cache(maxsize=1 << 16)
def name_terms(name: str) -> tuple[str, ...]:
    """The terms of one word or name."""
    pieces = [name.lower()] if "." in name else []
    for component in name.split("."):
        parts = _PART.findall(component)
        if len(parts) > 1 or _NUMBERED.fullmatch(component):
            pieces.append(component.lower())
        stems = (part.lower() for part in parts)
        pieces += [_stem(word) for word in stems if len(word) > 2 and word not in _COMMON]
    return tuple(pieces)


def _stem(word: str) -> str:
    """`word` without its ending, so that recompiles, recompiled and recompilation are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
