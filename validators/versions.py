"""Versions as builds write them, which PEP 440 does not always allow."""

from __future__ import annotations

import re

from packaging.version import Version


def version_of(text: str) -> Version:
    """`text` as a version; if it is not one, the release that it begins with, or 0.

    Python calls itself "3.13.0a1+", and a private build of torch may carry any word at its end.
    """
    release = re.match(r"\s*v?([0-9]+(?:\.[0-9]+)*)", text)
    for candidate in (text, release[1] if release else "0"):
        try:
            return Version(candidate)
        except ValueError:  # also raised by a number with more digits than Python reads
            continue
    return Version("0")
