"""A case's proof, read as source: nothing is imported or run."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

REQUIRED = {"symptom": 1, "remedy": 1, "shows": 1}
"""Each top-level function that a proof must have, with its number of parameters."""


@dataclass(frozen=True)
class Import:
    """One import: its line, the module (a relative one with its dots), the names taken from it."""

    line: int
    module: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proof:
    """The parsed source of a proof."""

    source: str
    tree: ast.Module

    @property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """The top-level functions by name."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    def source_of(self, function: str) -> str:
        """The source of a top-level function, decorators included; "" where there is none."""
        node = self.functions.get(function)
        if node is None:
            return ""
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return "\n".join(self.source.split("\n")[first - 1 : node.end_lineno])

    def imports(self) -> list[Import]:
        """Every import, function bodies included."""
        return imports(self.tree)


def imports(tree: ast.Module) -> list[Import]:
    """Every import of a module, function bodies included."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [Import(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found.append(Import(node.lineno, module, tuple(a.name for a in node.names)))
    return found


def read_proof(path: Path) -> Proof:
    """Parse the proof at `path`.

    Raises:
        SyntaxError, UnicodeDecodeError, ValueError: it is not Python source.
    """
    source = path.read_text(encoding="utf-8")
    return Proof(source, ast.parse(source, filename=str(path)))
