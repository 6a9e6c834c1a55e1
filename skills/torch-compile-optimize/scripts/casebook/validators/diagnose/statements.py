"""The text of a line of user code; of a condition, the whole condition and the raise it guards."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

_Check = ast.If | ast.While | ast.Assert
_LONGEST = 300


def code_at(file: str, line: int) -> str:
    """The text of a line, "" if the file cannot be read.

    Of a line in the condition of an `if`, `while` or `assert`, the text of the condition in one
    line, with the first line that an `if` guards: what the condition is for tells which fix
    applies.
    """
    try:
        changed = Path(file).stat().st_mtime_ns
        lines, checks = _read(file, changed)
    except OSError:
        return ""
    if not 0 < line <= len(lines):
        return ""
    for check in checks:
        if check.lineno <= line <= _end_of_condition(check):
            return _text(check, lines)
    return lines[line - 1].strip()


@lru_cache(maxsize=200)
def _read(file: str, _changed: int) -> tuple[list[str], list[_Check]]:
    """The lines of a file, and its conditions, none if it is not Python; read again once changed.

    Raises:
        OSError: the file cannot be read.
    """
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text.splitlines(), []
    return text.splitlines(), [it for it in ast.walk(tree) if isinstance(it, _Check)]


def _end_of_condition(check: _Check) -> int:
    if isinstance(check, ast.Assert):
        return check.end_lineno or check.lineno
    return check.test.end_lineno or check.lineno


def _text(check: _Check, lines: list[str]) -> str:
    """The condition as it is written, spaces joined; the first line that an `if` guards, behind."""
    rows = lines[check.lineno - 1 : _end_of_condition(check)]
    first = check.body[0] if isinstance(check, ast.If) else None
    if first and first.lineno > check.test.end_lineno:  # type: ignore[operator]
        rows.append(lines[first.lineno - 1])
    return " ".join(" ".join(rows).split())[:_LONGEST]
