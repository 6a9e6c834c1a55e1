"""Which of our modules a program needs, found in the sources without importing them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from validators.files import ROOT

_OURS = ("validators", "reference_models")


def closure(sources: Iterable[Path]) -> list[Path]:
    """The files of our packages that `sources` import, directly or not, and these themselves.

    What only type checkers import is not among them.
    """
    found: set[Path] = set()
    waiting = list(sources)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += (it for name in imported(file) for it in _files(name))
    return sorted(found)


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports when it runs, also inside functions."""
    for node in _executed(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (it.name for it in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            # `from package import module` imports a module, too.
            yield from (f"{node.module}.{it.name}" for it in node.names)


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _executed(node)


def _files(module: str) -> Iterator[Path]:
    """The file of one of our modules and those of its packages; none for other names."""
    parts = module.split(".")
    if parts[0] not in _OURS:
        return
    for size in range(1, len(parts) + 1):
        place = ROOT.joinpath(*parts[:size])
        for file in (place / "__init__.py", place.with_suffix(".py")):
            if file.is_file():
                yield file
