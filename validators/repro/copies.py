"""The user's own files that a reproducer needs: modules, and what the run read beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validators import sizes
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.spec import Spec

_MOST_BYTES = 24 * 2**20
"""GitHub takes files of up to 25 MB in an issue."""
_MOST_FILES = 200
_NAMED = 10
"""How many files that are left out are told by name."""
_SECRET = re.compile(
    r"(?i:(?:^|[_.-])(?:token|secrets?|credentials?|passwords?|passwd|id_rsa|netrc)(?:[_.-]|$)"
    r"|\.(?:pem|key|p12|pfx)$)"
)
"""Names of files that hold secrets, whatever these look like."""
_PRINTED = re.compile(rb"[ -~]{6,}")
"""What can be read in a file that is not text."""


@dataclass
class Copies:
    """Contents by their places below a folder, with home folders and tokens masked.

    `roots` are the folders among them that modules are imported from, and `start` the one that the
    target runs in. `data` are the places of what is not a module. `left_out` says why of each file
    that is not copied.
    """

    contents: dict[Path, bytes] = field(default_factory=dict)
    roots: tuple[Path, ...] = ()
    start: Path = Path()
    data: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        """Write all files."""
        for place, content in self.contents.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_bytes(content)


def copies_of(made: dict[str, Any], spec: Spec) -> Copies:
    """What to copy: the modules and the files of what a worker tells of a run.

    Files of the target's own folder keep their places. Of other folders, only modules are copied.
    """
    root, found = spec.root, Copies()
    roots: dict[Path, None] = {}
    for module, file in made["files"].items():
        own = _module_place(module, Path(file))
        place = _place(Path(file), root) or own
        roots[Path(*place.parts[: len(place.parts) - len(own.parts)])] = None
        text = Path(file).read_text(encoding="utf-8", errors="replace")
        found.contents[place] = masked(text, root).encode()
    found.roots = tuple(roots)
    found.start = _place(spec.folder, root) or Path()
    _add_data(found, [Path(it) for it in made["opened"]], root)
    return found


def _module_place(module: str, file: Path) -> Path:
    """Where a module lies below the folder that it is imported from."""
    place = Path(*module.split("."))
    return place / "__init__.py" if file.name == "__init__.py" else place.with_suffix(".py")


def _add_data(found: Copies, files: list[Path], root: Path) -> None:
    """Add the files that were read, or say why not."""
    size, left_out = 0, list[str]()
    for file in files:
        place = _place(file, root)
        if place in found.contents:
            continue
        reason = "it is outside of the target's folder"
        if place is not None:
            reason = _private(place, file) or _too_much(size, len(found.data), file)
        content = b"" if reason else file.read_bytes()
        content, reason = (content, reason) if reason else _without_secrets(content, root)
        if reason or place is None:
            left_out.append(f"{place or file}: {reason}")
            continue
        size += len(content)
        found.contents[place] = content
        found.data.append(place)
    found.left_out += left_out[:_NAMED]
    if len(left_out) > _NAMED:
        found.left_out.append(f"{len(left_out) - _NAMED} more files")


def _place(file: Path, root: Path) -> Path | None:
    """The place of a file below a folder, by the path that the run used; None if it is outside.

    A link that leads out of the folder is outside.
    """
    if not file.resolve().is_relative_to(root):
        return None
    for it in (file, file.parent.resolve() / file.name):
        if it.is_relative_to(root):
            return it.relative_to(root)
    return None


def _private(place: Path, file: Path) -> str:
    names = [*place.parts, file.resolve().name]
    if any(it.startswith(".") for it in names):
        return "it is hidden"
    return "its name tells of a secret" if any(map(_SECRET.search, names)) else ""


def _too_much(size: int, count: int, file: Path) -> str:
    taken = file.stat().st_size
    if size + taken > _MOST_BYTES:
        most = sizes.size(_MOST_BYTES)
        return f"it takes {sizes.size(taken)}, and all files together at most {most}"
    return f"there are {_MOST_FILES} others" if count == _MOST_FILES else ""


def _without_secrets(content: bytes, root: Path) -> tuple[bytes, str]:
    """A file as it may leave the machine, and why it may not."""
    try:
        if b"\0" not in content:
            return masked(content.decode(), root).encode(), ""
    except UnicodeDecodeError:
        pass
    printed = b"\n".join(_PRINTED.findall(content)).decode("ascii")
    return content, "" if masked(printed, root) == printed else "it holds a home folder or a token"
