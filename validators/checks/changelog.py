"""Checks of CHANGELOG.md: it begins with the present version, and a release has few lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from validators import __version__
from validators.errors import Problem

FILE = "CHANGELOG.md"
MOST_LINES = 25


def check_changelog(root: Path) -> Iterator[Problem]:
    """Defects of the changelog of a checkout; nothing if there is no such file."""
    file = root / FILE
    if not file.exists():
        return
    found = list(releases(file.read_text("utf-8")))
    if not found or found[0][0] != __version__:
        message = f"begins with {found[0][0] if found else 'no release'}, and this is {__version__}"
        yield Problem(file, 0, f"{message}; add a section, or correct `__version__`")
    for version, lines in found:
        count = sum(bool(line.strip()) for line in lines)
        if count > MOST_LINES:
            message = f"{version} has {count} lines, more than {MOST_LINES}; say what users can do"
            yield Problem(file, 0, message)


def releases(text: str) -> Iterator[tuple[str, list[str]]]:
    """The releases, newest first: the version, and the lines below its heading."""
    version, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith("## "):
            if version:
                yield version, lines
            version, lines = line.removeprefix("## ").split()[0], []
        elif version:
            lines.append(line)
    if version:
        yield version, lines
