"""The files of an installed torch, and of the Triton beside it, found without importing them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.errors import CasebookError
from validators.families.torch_source.reading import SourceFile
from validators.versions import public_version

# Runs in that interpreter; find_spec does not import torch.
_QUESTION = """
import importlib.util, json
def where(name):
    spec = importlib.util.find_spec(name)
    return (spec.origin or "") if spec else ""
print(json.dumps([where("torch"), where("triton")]))
"""
_VERSION = re.compile(r"^__version__\b[^=]*=\s*['\"]([^'\"]+)", re.MULTILINE)


@dataclass(frozen=True)
class Release:
    """A release of torch on this machine: its name, its folder, and Triton's if it is there."""

    torch: str
    folder: Path
    triton: str = ""
    triton_folder: Path | None = None

    def file(self, name: str) -> SourceFile:
        """A Python file of torch by its path."""
        return SourceFile(self.folder / name, name)

    def files(self, *places: str, holding: tuple[str, ...] = ()) -> Iterator[SourceFile]:
        """The files at `places`, which are files and folders, that hold one of some texts.

        Each is read anew: all of torch's syntax trees would take a gigabyte.
        """
        for path in sorted(path for place in places for path in _python_files(self.folder / place)):
            file = self.file(path.relative_to(self.folder).as_posix())
            if not holding or any(it in file.text for it in holding):
                yield file

    def triton_files(self, *places: str) -> Iterator[SourceFile]:
        """Files of Triton; none if it is not installed."""
        if self.triton_folder is None:
            return
        for place in places:
            for path in sorted(_python_files(self.triton_folder / place)):
                yield SourceFile(path, f"triton/{path.relative_to(self.triton_folder).as_posix()}")


def release_of(python: str) -> Release:
    """The torch of an interpreter.

    Raises:
        CasebookError: it is not an interpreter, or has no readable torch.
    """
    torch, triton = _ask(python)
    if not torch:
        raise CasebookError(f"{python}: has no torch; install it there or name another --python")
    folder = Path(torch).parent
    version = _version(folder / "version.py")
    if not version:
        raise CasebookError(f"{folder}/version.py: names no version; reinstall torch there")
    return Release(
        torch=version,
        folder=folder,
        triton=_version(Path(triton)) if triton else "",
        triton_folder=Path(triton).parent if triton else None,
    )


def _ask(python: str) -> tuple[str, str]:
    """The files that the interpreter would import torch and Triton from, "" for neither."""
    # An absolute path, but not a resolved one: a virtual environment's python is a link.
    path = Path(shutil.which(python) or python).absolute()
    command = [str(path), "-E", "-c", _QUESTION]  # -E, as in `validators.environment`
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, cwd="/", check=True)
        torch, triton = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        message = "does not answer as a Python interpreter; give its path to --python"
        raise CasebookError(f"{python}: {message}") from None
    return torch, triton


def _version(file: Path) -> str:
    """The `__version__` in a file, without its local part; "" if there is none."""
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    found = _VERSION.search(text)
    return public_version(found[1]) if found else ""


def _python_files(place: Path) -> list[Path]:
    return [place] if place.is_file() else list(place.rglob("*.py"))
