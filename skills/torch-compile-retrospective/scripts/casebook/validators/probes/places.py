"""Which of several stack frames is the user's."""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterable
from pathlib import Path

_FRAME = re.compile(r'^\s*File "(.+)", line (\d+)', re.MULTILINE)
_STANDARD = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), "<frozen ")
# Installed packages often live below the standard library, and they are users of torch.
_PACKAGES = ("site-packages", "dist-packages")

Frame = tuple[str, str]


def frames(stack: str) -> list[Frame]:
    """File and line of each frame in a printed stack, innermost first."""
    return list(reversed(_FRAME.findall(stack)))


def user_place(innermost_first: Iterable[Frame], libraries: tuple[str, ...]) -> tuple[str, int]:
    """File name, without its directory, and line of the innermost frame that is the user's.

    Frames below `libraries` and of the standard library are not the user's. If there are no others,
    the innermost frame counts; the result for no frame at all is ("", 0).
    """
    found = list(innermost_first)
    users = [frame for frame in found if not _library(frame[0], libraries)]
    file, line = (users or found or [("", "0")])[0]
    return Path(file).name, int(line)


def _library(file: str, libraries: tuple[str, ...]) -> bool:
    if file.startswith(libraries):
        return True
    return file.startswith(_STANDARD) and not any(part in file for part in _PACKAGES)
