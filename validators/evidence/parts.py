"""A proof in two parts: what its arms run, and what judges their reports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from validators.evidence import program
from validators.evidence.cache import Cache
from validators.evidence.program import Program, attributes_in, hash_of_tree
from validators.files import read_file

JUDGE = "shows"
_Statements = Iterable[ast.stmt]


class Parts(Struct, frozen=True, array_like=True):
    """What the arms run and what judges their reports; a definition that both use is in both."""

    arms: Program
    judge: Program


_cache = Cache("parts", Parts, sources=(Path(__file__), Path(program.__file__)))


def parts_of(proof: Path) -> Parts:
    """The parts of a proof; both are its whole text if it is not Python, or empty if it is lost."""
    try:
        source = read_file(proof)
        return _cache.get(source, lambda: _read(source))
    except (OSError, ValueError):
        return Parts(Program("", []), Program("", []))


def _read(source: bytes) -> Parts:
    whole = program.read(source)
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Parts(whole, whole)
    named = {name: it for it in body if (name := _movable(it))}
    judging = _reached([named[JUDGE]] if JUDGE in named else [], named)
    running = _reached([it for it in body if it not in judging], named)
    return Parts(
        _program([it for it in body if it in running or it not in judging]),
        _program([it for it in body if it in judging]),
    )


def _movable(statement: ast.stmt) -> str:
    """The name that a statement defines without doing anything else; "" if it does more."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef) and not statement.decorator_list:
        return statement.name
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
        calls = any(isinstance(it, ast.Call) for it in ast.walk(value))
        return target.id if isinstance(target, ast.Name) and not calls else ""
    return ""


def _reached(begin: _Statements, named: Mapping[str, ast.stmt]) -> list[ast.stmt]:
    """The statements of `begin` and the definitions that they use, and so on."""
    found, waiting = [], [*begin]
    while waiting:
        if (statement := waiting.pop()) not in found:
            found.append(statement)
            names = (it.id for it in ast.walk(statement) if isinstance(it, ast.Name))
            waiting += [named[name] for name in names if name in named]
    return found


def _program(body: list[ast.stmt]) -> Program:
    tree = ast.Module(body=body, type_ignores=[])
    return Program(hash_of_tree(tree), sorted(attributes_in(tree)))
