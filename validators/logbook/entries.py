"""Files of the experiment log, `DATE-SLUG.md`: their names, and writing a new one."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from validators.errors import CasebookError

LONGEST_SLUG = 60


def slug_of(title: str) -> str:
    """The ASCII words of `title` that fit, joined by hyphens; "" if there are none."""
    # A run of combining marks takes quadratic time to normalize.
    plain = unicodedata.normalize("NFKD", title[:200]).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall("[a-z0-9]+", plain))
    short = slug[: LONGEST_SLUG + 1]
    return slug if short == slug else (short.rpartition("-")[0] or short)[:LONGEST_SLUG]


def write_entry(file: Path, text: str) -> None:
    """Write a new file.

    Raises:
        CasebookError: the file exists.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise CasebookError(f"{file}: already exists; choose another name") from None
