"""Versions as builds write them, which is not always as PEP 440 has them."""

from __future__ import annotations

import re

from packaging.version import Version


def version_of(text: str) -> Version:
    """`text` as a version; of what is none, the release that it begins with, or 0.

    Python calls itself "3.13.0a1+", and a private build of torch may carry any word at its end.
    """
    release = re.match(r"\s*v?([0-9]+(?:\.[0-9]+)*)", text)
    for candidate in (text, release[1] if release else "0"):
        try:
            return Version(candidate)
        except ValueError:  # also a number of more digits than Python reads
            continue
    return Version("0")
