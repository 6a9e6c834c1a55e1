"""The definitions of a module, one by one, for digests that cover only those that are used."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from validators.evidence.digests import program
from validators.evidence.digests.cache import Cache
from validators.evidence.digests.program import attributes_in, hash_of_tree


class Definition(Struct, frozen=True, array_like=True):
    """A field, property, method, function or constant, and the names that it uses."""

    hash: str
    uses: list[str]


Definitions = dict[str, list[Definition]]
"""By name; several classes may have a field of one name. A class itself is not a definition."""

_cache = Cache("definitions", Definitions, sources=(Path(__file__), Path(program.__file__)))


def definitions_read(module: Path, names: Iterable[str]) -> dict[str, list[str]]:
    """The hashes of the definitions `names` in `module`, and of those that they use, by name."""
    known = _definitions_of(module)
    found: dict[str, list[str]] = {}
    waiting = [name for name in names if name in known]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = sorted(it.hash for it in known[name])
            waiting += [use for it in known[name] for use in it.uses]
    return found


def _definitions_of(module: Path) -> Definitions:
    try:
        return _cache.of(module, _read)
    except (OSError, ValueError, SyntaxError):
        return {}


def _read(source: bytes) -> Definitions:
    named = list(_named(ast.parse(source).body))
    names = {name for name, _ in named}
    found: Definitions = {}
    for name, tree in named:
        mentioned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        uses = sorted((mentioned | attributes_in(tree)) & names - {name})
        found.setdefault(name, []).append(Definition(hash_of_tree(tree), uses))
    return found


def _named(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _named(node.body)
        elif isinstance(node, ast.FunctionDef):
            yield node.name, node
        else:
            targets = [getattr(node, "target", None), *getattr(node, "targets", [])]
            yield from ((it.id, node) for it in targets if isinstance(it, ast.Name))
