"""A case's proof, read as source: nothing is imported or run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.catalog.page import control_character
from validators.errors import Problem
from validators.files import read_file

REQUIRED = {"symptom": 1, "remedy": 1, "shows": 1}
"""Each top-level function that a proof must have, with its number of parameters."""
MAX_PROOF_BYTES = 256 * 1024


class InvalidProof(Exception):
    """A proof that cannot be read; carries the `Problem` found."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


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
        """The source of a top-level function, decorators included; "" if there is none."""
        node = self.functions.get(function)
        if node is None:
            return ""
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return "\n".join(self.source.split("\n")[first - 1 : node.end_lineno])

    def imports(self) -> list[Import]:
        """Every import, function bodies included."""
        return imports(self.tree)


def imports(tree: ast.Module) -> list[Import]:
    """Every import of a module, function bodies and `import_module("...")` included."""
    return [found for node in ast.walk(tree) for found in _imports(node)]


def _imports(node: ast.AST) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(node.lineno, alias.name)
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        yield Import(node.lineno, module, tuple(a.name for a in node.names))
    elif isinstance(node, ast.Call) and node.args and _imports_by_name(node.func):
        argument = node.args[0]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield Import(node.lineno, argument.value)


def _imports_by_name(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def read_proof(path: Path) -> Proof:
    """Parse the proof at `path`.

    Raises:
        InvalidProof: it is a link, cannot be read, is too large, or is not Python source.
    """
    if path.is_symlink():
        message = "is a link, whose target no digest covers; put the file itself here"
        raise InvalidProof(Problem(path, 0, message))
    try:
        raw = read_file(path, MAX_PROOF_BYTES + 1)
    except OSError as error:
        message = f"cannot be read ({error.strerror}); fix the file"
        raise InvalidProof(Problem(path, 0, message)) from None
    if len(raw) > MAX_PROOF_BYTES:
        message = f"is larger than {MAX_PROOF_BYTES // 1024} KiB; shorten the proof"
        raise InvalidProof(Problem(path, 0, message))
    try:
        source = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InvalidProof(Problem(path, line, "is not UTF-8; save it as UTF-8")) from None
    # Python allows a form feed; other control characters would reach the readers' terminals.
    if found := control_character(source.replace("\f", " ")):
        line, name = found
        message = f"holds the control character {name}; write it as an escape"
        raise InvalidProof(Problem(path, line, message))
    return Proof(source, _parse(path, source))


def _parse(path: Path, source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, filename=str(path))
    except SyntaxError as error:
        line, message = error.lineno or 0, f"is not Python ({error.msg}); fix the syntax"
    except ValueError as error:
        line, message = 0, f"is not Python ({error}); fix the syntax"
    except (RecursionError, MemoryError):
        line, message = 0, "nests too deep for Python's own parser; flatten it"
    raise InvalidProof(Problem(path, line, message))
