"""What a source file does: its syntax tree without docstrings, comments and positions.

The hash is the same under every Python that parses the file, from 3.11 on. It leaves out empty
fields, since releases add some. It joins the parts of an f-string, since releases split them
differently.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from validators.evidence.digests.cache import Cache

_IGNORED = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
"""Fields that follow from the rest of the tree, or that nothing runs."""
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Program(Struct, frozen=True, array_like=True):
    """What a file does: a hash, and every name that it reads as an attribute."""

    hash: str
    attributes: list[str]


_cache = Cache("programs", Program, sources=(Path(__file__),))


def program_of(file: Path) -> Program:
    """What `file` does; its hash is "" if the file cannot be read."""
    try:
        return _cache.of(file, read)
    except (OSError, ValueError):  # also a name that no file can have
        return Program("", [])


def read(source: bytes) -> Program:
    """Read what `source` does; if it is not Python, its bytes count."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Program(hashlib.sha256(source).hexdigest()[:16], [])
    return Program(hash_of_tree(tree), sorted(attributes_in(tree)))


def attributes_in(tree: ast.AST) -> set[str]:
    """Every name after a dot in `tree`."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def hash_of_tree(tree: ast.AST) -> str:
    """A short hash of what `tree` does."""
    parts: list[str] = []
    _write(tree, parts.append)
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def _write(node: ast.AST, out: Callable[[str], None]) -> None:
    """Pass `node` to `out` as text, piece by piece."""
    out(node.__class__.__name__)
    out("(")
    for name in node._fields:
        value = getattr(node, name, None)
        if (value is None and not isinstance(node, ast.Constant)) or name in _IGNORED:
            continue
        if isinstance(value, list):
            if items := _items(node, name, value):
                out(f"{name}[")
                for item in items:
                    _write_value(item, out)
                out("]")
        else:
            out(name)
            _write_value(value, out)
    out(")")


def _write_value(value: object, out: Callable[[str], None]) -> None:
    if isinstance(value, ast.AST):
        _write(value, out)
    else:
        # Not `repr`: which characters it escapes depends on Python's version of Unicode.
        out(f"={value!a};")


def _items(node: ast.AST, name: str, values: list[object]) -> list[object]:
    """The items of a field that is a list, without a docstring."""
    if (
        name == "body"
        and isinstance(node, _DOCUMENTED)
        and ast.get_docstring(node, False) is not None
    ):
        return values[1:]
    return list(_joined(values)) if isinstance(node, ast.JoinedStr) else values


def _joined(values: list[object]) -> Iterator[object]:
    """The parts of an f-string, with adjacent texts joined and empty ones left out."""
    text = ""
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            text += value.value
            continue
        if text:
            yield text
        yield value
        text = ""
    if text:
        yield text
