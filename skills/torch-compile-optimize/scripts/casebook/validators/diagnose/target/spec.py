"""What a user names as the target of a diagnosis."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.errors import CasebookError
from validators.files import ROOT

REFERENCE = ("gpt", "toto", "toto-original", "vlm", "vlm-original")
"""The reference models that a target may name."""


@dataclass(frozen=True)
class Spec:
    """A target: `place:factory`, the folder that it is run in, and its file if it names one."""

    place: str
    factory: str
    folder: Path
    paths: tuple[str, ...]
    file: Path | None

    @property
    def root(self) -> Path:
        """The folder that is the target's own: the one that holds its file."""
        if self.file is None:
            return self.folder.resolve()
        file = self.file.resolve()
        folders = [it.resolve() for it in (self.folder, *map(Path, self.paths))]
        return next((it for it in folders if file.is_relative_to(it)), file.parent)

    def __str__(self) -> str:
        return f"{self.place}:{self.factory}"


def parse_spec(text: str, folder: Path) -> Spec:
    """The target that `text` names, seen from `folder`.

    Raises:
        CasebookError: `text` has no factory, or names a file that is not there.
    """
    if text in REFERENCE:
        models = ROOT / "reference_models" / "targets.py"
        name = text.replace("-", "_")
        return Spec("reference_models.targets", name, folder, (str(ROOT),), models)
    place, colon, factory = text.rpartition(":")
    if not colon or not factory.isidentifier():
        raise CasebookError(
            f"{text}: names no factory, and there is no such program, trace or log; "
            "write module:function, file.py:function, -- python train.py, "
            f"or one of {', '.join(REFERENCE)}"
        )
    paths = tuple(map(str, _searched(folder)))
    if not place.endswith(".py"):
        beside = folder / Path(*place.split(".")).with_suffix(".py")
        return Spec(place, factory, folder, paths, beside if beside.is_file() else None)
    file = folder / place
    if not file.is_file():
        raise CasebookError(f"{place}: is not a file; name one that defines {factory}()")
    return Spec(str(file), factory, folder, paths, file)


def _searched(folder: Path) -> Iterator[Path]:
    """Where Python would find a target's modules: in the folder, PYTHONPATH, and a project's src.

    The worker that loads the target starts without the variable.
    """
    yield folder
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    yield from (folder / it for it in given if it)
    if (folder / "src").is_dir() and (folder / "pyproject.toml").is_file():
        yield folder / "src"
