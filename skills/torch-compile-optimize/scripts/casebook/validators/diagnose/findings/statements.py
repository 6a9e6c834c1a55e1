"""The text of a line of user code; of a condition, the whole condition and the raise it guards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from validators.diagnose.findings.uses import use_at

_Check = ast.If | ast.While | ast.Assert
_LONGEST = 300
_BLOCKS = (ast.Raise, ast.For, ast.While, ast.With, ast.Try)
USED = "  # used as"
"""Begins what a number is used as that a line reads out of a tensor."""
_NUMBER = re.compile(r"\.item\(\)|\b(?:int|float|bool)\(")
MORE = " …"
"""Ends an `if` whose sides are more than values: nothing can compute both and select one."""


def code_at(file: str, line: int) -> str:
    """The text of a line, "" if the file cannot be read.

    Of a line in the condition of an `if`, `while` or `assert`, the text of the condition in one
    line, with the first line that an `if` guards: what the condition is for tells which fix
    applies. An `if` between loops, blocks or errors ends with `MORE`. A line that reads a number
    out of a tensor, to use it as a size, an index or a condition, ends with that use.
    """
    try:
        changed = Path(file).stat().st_mtime_ns
        lines, checks, tree = _read(file, changed)
    except OSError:
        return ""
    if not 0 < line <= len(lines):
        return ""
    for check, sides in checks:
        if check.lineno <= line <= _end_of_condition(check):
            return _text(check, lines) + MORE * _holds_blocks(sides)
    if lines[line - 1].lstrip().startswith("@"):
        return lines[_named(tree, line) - 1].strip()
    return lines[line - 1].strip() + _use(tree, lines, line)


def _named(tree: ast.Module, decorator: int) -> int:
    """The line that names what a decorator is of; its own if that is unknown."""
    for it in ast.walk(tree):
        if any(one.lineno == decorator for one in getattr(it, "decorator_list", ())):
            return int(it.lineno)  # type: ignore[attr-defined]
    return decorator


def _use(tree: ast.Module, lines: list[str], line: int) -> str:
    use, where = use_at(tree, line) if _NUMBER.search(lines[line - 1]) else ("", 0)
    there = f": {lines[where - 1].strip()}" if where else ""
    return f"{USED} {use}{there}"[:_LONGEST] if use else ""


@lru_cache(maxsize=200)
def _read(
    file: str, _changed: int
) -> tuple[list[str], list[tuple[_Check, list[ast.stmt]]], ast.Module]:
    """The lines of a file, its conditions with the statements of their sides, and its tree.

    The file is read again once it has changed; one that is not Python has no conditions.

    Raises:
        OSError: the file cannot be read.
    """
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text.splitlines(), [], ast.Module([], [])
    checks = [
        (check, _sides(check, block))
        for block in _blocks(tree)
        for check in block
        if isinstance(check, _Check)
    ]
    return text.splitlines(), checks, tree


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements that follow each other."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _sides(check: _Check, block: list[ast.stmt]) -> list[ast.stmt]:
    """What an `if` decides about; what follows it in its block, too, if it returns."""
    if not isinstance(check, ast.If):
        return []
    returns = isinstance(check.body[-1], ast.Return)
    after = block[block.index(check) + 1 :] if returns else []
    return [*check.body, *check.orelse, *after]


def _holds_blocks(sides: list[ast.stmt]) -> bool:
    return any(isinstance(part, _BLOCKS) for side in sides for part in ast.walk(side))


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
