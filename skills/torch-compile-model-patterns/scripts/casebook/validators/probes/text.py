"""torch's texts made fit for a report: without directories and addresses of objects."""

from __future__ import annotations

import re

_DIRECTORY = re.compile(r"(?<![\w:/.])(?:[\w.+~<>-]*/)+(?=[\w.<>-]+\.(?:py|cpp|so|h)\b)")
_ABSOLUTE = re.compile(r"(?<![\w:/.<])/(?:[\w.+~-]+/)+(?=[\w.<-])")
_TEMPORARY = re.compile(r"\btmp[a-z0-9_]{8}\b")
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b|\b\d{12,}\b")
_FOOTNOTE = re.compile(r"\n*Set TORCHDYNAMO_VERBOSE=1.*", re.DOTALL)


def clean(text: str) -> str:
    """`text` without directories before file names; `ID` for addresses, `tmpID` for scratch files.

    Relative directories go only before source files: elsewhere a slash may mean something else.
    """
    text = _ABSOLUTE.sub("", _DIRECTORY.sub("", _FOOTNOTE.sub("", text)))
    return _TEMPORARY.sub("tmpID", _ADDRESS.sub("ID", text)).strip()


def qualified(kind: type) -> str:
    """A type's importable name; built-in types go without their module."""
    if kind.__module__ == "builtins":
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"
