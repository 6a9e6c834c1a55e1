"""Which files a target reads: Python tells of each one that it opens."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from validators.probes.switches import replaced

_MOST = 10_000
_SYSTEM = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/run/")
_INSTALLED = ("site-packages", "dist-packages")
_ACCESS = os.O_WRONLY | os.O_RDWR


class Opened:
    """The files that were opened to be read, in order; not those that the run made itself."""

    def __init__(self) -> None:
        self._read: dict[str, bool] = {}
        """By path, whether the file was there before the run opened it."""
        self.listens = True

    def files(self) -> list[str]:
        """The paths of the files that are there, without what is installed, the system's, ours."""
        return [it for it, found in self._read.items() if found and Path(it).is_file()]

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Hear of an event of Python's; an exception here would be one of the target's."""
        if event == "open" and self.listens and len(self._read) < _MOST:
            with contextlib.suppress(Exception):
                self.note(os.fsdecode(args[0]), args[2])

    def note(self, path: str, flags: int = 0) -> None:
        """Note a file that is opened with these flags."""
        path = os.path.normpath(Path(path).absolute())
        if path.endswith(".pyc"):
            path = importlib.util.source_from_cache(path)
        if is_users_own(path) and not path.startswith(_SYSTEM):
            emptied = flags & os.O_TRUNC or not Path(path).exists()
            self._read.setdefault(path, not emptied and flags & _ACCESS != os.O_WRONLY)


@contextlib.contextmanager
def opened() -> Iterator[Opened]:
    """Note the files that the block opens."""
    found = Opened()
    # Python has no way to take a hook away.
    sys.addaudithook(found.hear)
    real = torch.UntypedStorage.from_file

    def from_file(path: Any, *args: Any, **kwargs: Any) -> Any:
        # Packages for weights map files into memory without Python's `open`.
        found.note(os.fsdecode(path))
        return real(path, *args, **kwargs)

    try:
        with replaced(torch.UntypedStorage, "from_file", from_file):
            yield found
    finally:
        found.listens = False


def is_users_own(file: str) -> bool:
    """Whether a file is neither installed nor Python's nor ours."""
    ours = f"{Path(__file__).parents[2]}{os.sep}"
    known = file.startswith((sysconfig.get_paths()["stdlib"], ours))
    return not known and not any(it in file for it in _INSTALLED)
