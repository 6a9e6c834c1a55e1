"""Which of our modules a program needs, found in the sources without importing them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from validators.catalog.proof import imports
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


@cache
def imported(file: Path) -> tuple[str, ...]:
    """The modules that a file imports when it runs, also inside functions."""
    tree = _WithoutTypeChecking().visit(ast.parse(file.read_text(encoding="utf-8")))
    # `from package import module` imports a module, too.
    return tuple(
        name
        for it in imports(tree)
        for name in (it.module, *(f"{it.module}.{name}" for name in it.names))
    )


class _WithoutTypeChecking(ast.NodeTransformer):
    """Takes out what only type checkers read."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        """Drop `if TYPE_CHECKING:`."""
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


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
