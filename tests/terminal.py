"""Commands run in a terminal of their own, as a person runs them."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

from validators.files import ROOT

_SECONDS = 20


def in_terminal(
    *arguments: object, cwd: Path, columns: int = 80, rows: int = 24, keys: str = "", **env: str
) -> str:
    """All that `python -m validators ARGUMENTS` writes to a terminal of this size.

    `keys` are typed at once. Variables that change colours or the pager are those of `env` only.
    """
    inside, outside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    left_out = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PAGER", "LESS"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    process = subprocess.Popen(
        [sys.executable, "-m", "validators", *map(str, arguments)],
        stdin=outside,
        stdout=outside,
        stderr=outside,
        cwd=cwd,
        env=kept | {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)} | env,
        start_new_session=True,
    )
    os.close(outside)
    os.write(inside, keys.encode())
    said = b""
    while more := _read(inside):
        said += more
    os.close(inside)  # hangs up on what still waits for a key
    assert process.wait(_SECONDS) == 0, said
    return said.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    """What comes next; nothing if the command has ended, or waits for a key."""
    ready, _, _ = select.select([terminal], [], [], _SECONDS)
    try:
        return os.read(terminal, 65536) if ready else b""
    except OSError:  # Linux says so when no process has the other side open any more
        return b""
