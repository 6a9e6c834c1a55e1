"""A copy of the user's folder with some files changed, which costs no space."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from validators.diagnose.target.spec import Spec


@contextlib.contextmanager
def overlaid(spec: Spec, contents: Mapping[Path, bytes]) -> Iterator[Spec]:
    """The target in a temporary copy of its folder in which files hold other `contents`.

    Folders on the way to those files are copied, everything else is linked. The target still runs
    in the user's folder, so that it finds its data, and imports modules from the copy first.
    """
    root = spec.root
    with tempfile.TemporaryDirectory(prefix="casebook-") as made:
        copy = Path(made).resolve()
        files = [*contents, *([spec.file.resolve()] if spec.file else [])]
        folders = {up for it in files for up in it.parents if up.is_relative_to(root)}
        for folder in sorted(folders):
            _mirror(folder, copy / folder.relative_to(root), folders)
        for file, content in contents.items():
            (copy / file.relative_to(root)).write_bytes(content)
        roots = dict.fromkeys([copy, *(copy / _import_root(it).relative_to(root) for it in files)])
        paths = (*map(str, roots), *spec.paths)
        if spec.file is None or not spec.place.endswith(".py"):
            yield replace(spec, paths=paths)
        else:
            file = copy / spec.file.resolve().relative_to(root)
            yield replace(spec, place=str(file), paths=paths, file=file)


def _mirror(folder: Path, copy: Path, folders: set[Path]) -> None:
    copy.mkdir(parents=True, exist_ok=True)
    for entry in folder.iterdir():
        if entry in folders or entry.name == "__pycache__":
            continue
        if entry.suffix == ".py" and entry.is_file():
            shutil.copyfile(entry, copy / entry.name)
        else:
            (copy / entry.name).symlink_to(entry)


def _import_root(file: Path) -> Path:
    """The folder from which a file's module is imported: the first above that is no package."""
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder
