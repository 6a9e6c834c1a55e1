"""Where the casebook and the user's folders are; reading what may be no regular file."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from pathlib import Path

from validators.errors import CasebookError

ROOT = Path(__file__).resolve().parents[1]
"""The folder of this package: the root of a checkout, or of the part of it that is installed."""
CHECKOUT = (ROOT / "pyproject.toml").is_file()
"""Whether `ROOT` is a checkout, with all that people change."""
IN_A_CHECKOUT = "python -m validators"
PROGRAM = IN_A_CHECKOUT if CHECKOUT and Path(sys.argv[0]).stem != "casebook" else "casebook"
"""How the user starts the command line; messages name commands by it."""


def home_folder() -> Path:
    """The home folder of this user.

    Raises:
        CasebookError: nothing says where it is, as for a user without an account in a container.
    """
    try:
        return Path.home()
    except RuntimeError:
        raise CasebookError("HOME: is not set, and this user has no account; set HOME") from None


def cache_folder() -> Path:
    """The folder of this user's caches, which other checkouts share."""
    return _of_user("XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """The folder of what an installed casebook keeps for this user."""
    return _of_user("XDG_DATA_HOME", ".local/share")


def _of_user(variable: str, usual: str) -> Path:
    base = os.environ.get(variable)
    return (Path(base).expanduser() if base else home_folder() / usual) / "torch-compile-casebook"


def read_file(path: Path, limit: int = -1) -> bytes:
    """The bytes of a regular file; at most `limit` of them, unless `limit` is negative.

    Raises:
        OSError: the file cannot be read, or is a folder, a device or a pipe, which may never end.
    """
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    if status.st_size < limit:  # `read` allocates its whole limit at once
        limit = status.st_size + 1
    with path.open("rb") as file:
        return file.read(limit)


def hash_of(file: Path) -> str:
    """The SHA-256 of a file's bytes; "" if it cannot be read."""
    try:
        return hashlib.sha256(read_file(file)).hexdigest()
    except (OSError, ValueError):  # also a name that no file can have
        return ""
