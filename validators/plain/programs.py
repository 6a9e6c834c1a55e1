"""The plain programs of a repository: a file each, whose name is the program's id."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.errors import Problem
from validators.evidence.digests.program import program_of
from validators.files import read_file

FOLDER = Path("reference_models") / "plain"
"""Where a repository keeps them."""
MODES = ("training", "no_grad", "inference_mode")
_NEEDED = ("build", "inputs")


@dataclass(frozen=True)
class Program:
    """A plain program's file, what it is, and the modes that it has."""

    name: str
    file: Path
    about: str
    modes: tuple[str, ...] = MODES

    @property
    def digest(self) -> str:
        """The digest of what it does."""
        return program_of(self.file).hash[:16]


def load_programs(root: Path) -> tuple[list[Program], list[Problem]]:
    """The plain programs of the repository `root` by name, and what is wrong with them."""
    found, problems = [], []
    for file in sorted((root / FOLDER).glob("*.py")):
        try:
            tree = ast.parse(read_file(file))
        except (SyntaxError, ValueError) as error:
            problems.append(Problem(file, 0, f"is not Python ({error}); fix it"))
            continue
        about = (ast.get_docstring(tree) or "").partition("\n")[0]
        found.append(Program(file.stem, file, about, tuple(_modes(tree))))
        problems += [Problem(file, 0, message) for message in _defects(tree, about)]
    return found, problems


def _modes(tree: ast.Module) -> Iterator[str]:
    """The modes but training if the file says `training = None`."""
    without = any(ast.unparse(it) == "training = None" for it in tree.body)
    yield from MODES[without:]


def _defects(tree: ast.Module, about: str) -> Iterator[str]:
    defined = {it.name for it in tree.body if isinstance(it, ast.FunctionDef)}
    for name in _NEEDED:
        if name not in defined:
            yield f"defines no {name}(); write it, as the README beside it says"
    if not about:
        yield "does not say what it is; begin with a docstring of one sentence"
