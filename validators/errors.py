"""What goes wrong in a way that the user can mend."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """One defect of the content: a sentence, and its place; line 0 is the whole file."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        """`path:line: message`, the path relative to the working directory where it can be."""
        path = self.path
        if path.is_absolute() and path.is_relative_to(Path.cwd()):
            path = path.relative_to(Path.cwd())
        return f"{path}:{self.line}: {self.message}" if self.line else f"{path}: {self.message}"


class CasebookError(Exception):
    """Bad input, said in one sentence: the place, what is wrong, the remedy. Exit status 2."""
