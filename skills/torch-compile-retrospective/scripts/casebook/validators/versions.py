"""Versions as builds write them, which PEP 440 does not always allow."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.version import Version

_NORMAL = re.compile(
    r"((?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8}))*"
    r"(?:(?:a|b|rc)(?:0|[1-9][0-9]{0,8}))?(?:\.post(?:0|[1-9][0-9]{0,8}))?"
    r"(?:\.dev(?:0|[1-9][0-9]{0,8}))?)(?:\+[a-z0-9]+(?:\.[a-z0-9]+)*)?"
)


@lru_cache(1000)
def version_of(text: str) -> Version:
    """`text` as a version; if it is not one, the release that it begins with, or 0.

    Python calls itself "3.13.0a1+", and a private build of torch may carry any word at its end.
    """
    from packaging.version import Version

    release = re.match(r"\s*v?([0-9]+(?:\.[0-9]+)*)", text)
    for candidate in (text, release[1] if release else "0"):
        try:
            return Version(candidate)
        except ValueError:  # also raised by a number with more digits than Python reads
            continue
    return Version("0")


def public_version(text: str) -> str:
    """The version without its local part, as PEP 440 spells it."""
    # Recognized by its pattern, since importing `packaging` takes 10 ms and some users lack it.
    found = _NORMAL.fullmatch(text)
    try:
        return found[1] if found else version_of(text).public
    except ImportError:
        return re.match(r"[0-9.]*", text)[0].strip(".") or "0"  # type: ignore[index]
