"""A proof in two parts: what its arms run, and what judges their reports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from validators.evidence.digests import program
from validators.evidence.digests.cache import Cache
from validators.evidence.digests.program import Program, attributes_in, hash_of_tree

_JUDGE = "shows"


class Parts(Struct, frozen=True, array_like=True):
    """What the arms run and what judges their reports; a definition that both use is in both."""

    arms: Program
    judge: Program


_cache = Cache("parts", Parts, sources=(Path(__file__), Path(program.__file__)))


def parts_of(proof: Path) -> Parts:
    """The parts of a proof; both are its whole text if it is not Python, or empty if it is lost."""
    try:
        return _cache.of(proof, _read)
    except (OSError, ValueError):
        return Parts(Program("", []), Program("", []))


def _read(source: bytes) -> Parts:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        whole = program.read(source)
        return Parts(whole, whole)
    definitions = {name: statement for statement in body if (name := _defined_by(statement))}
    judge = definitions.get(_JUDGE)
    judging = _reached([judge] if judge else [], definitions)
    running = _reached([it for it in body if it not in judging], definitions)
    return Parts(*(_program([it for it in body if it in part]) for part in (running, judging)))


def _defined_by(statement: ast.stmt) -> str:
    """The name that a statement defines without doing anything else; "" if it does more."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef) and not statement.decorator_list:
        return statement.name
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
        calls = any(isinstance(node, ast.Call) for node in ast.walk(value))
        return target.id if isinstance(target, ast.Name) and not calls else ""
    return ""


def _reached(begin: Iterable[ast.stmt], definitions: Mapping[str, ast.stmt]) -> list[ast.stmt]:
    """The statements of `begin` and the definitions that they use, and so on."""
    reached, waiting = [], [*begin]
    while waiting:
        if (statement := waiting.pop()) not in reached:
            reached.append(statement)
            names = (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
            waiting += [definitions[name] for name in names if name in definitions]
    return reached


def _program(body: list[ast.stmt]) -> Program:
    tree = ast.Module(body=body, type_ignores=[])
    return Program(hash_of_tree(tree), sorted(attributes_in(tree)))
