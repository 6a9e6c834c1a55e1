"""What a program calls a log entry: the SLUG of `DATE-SLUG.md`."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 60


def slug_of(title: str) -> str:
    """The words of `title` as far as they are ASCII and fit, joined by hyphens; "" for none."""
    # A run of combining marks takes quadratic time to normalize.
    plain = unicodedata.normalize("NFKD", title[:200]).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall("[a-z0-9]+", plain))
    short = slug[: LONGEST + 1]
    return slug if short == slug else (short.rpartition("-")[0] or short)[:LONGEST]
