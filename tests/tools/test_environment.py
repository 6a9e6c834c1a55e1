"""Environments of other releases are made once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from validators.files import ROOT

PYTHON = """#!/bin/sh
# What `venv` makes is this program again, which takes a while to install.
case "$*" in
*venv*) for folder; do :; done; rm -rf "$folder/bin"; mkdir -p "$folder/bin"
        cp "$0" "$folder/bin/python";;
*pip*) echo "$@" >> "$LOG"; sleep 1;;
esac
"""
FREE = "#!/bin/sh\necho Avail\necho 99999999999\n"


def test_two_at_once_make_one_environment(tmp_path: Path) -> None:
    """The second waits for the first, and takes what that has made."""
    for name, text in (("python3", PYTHON), ("df", FREE)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    log, path = tmp_path / "log", f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    known = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path), "LOG": str(log)}
    command = ["sh", str(ROOT / "tools" / "environment.sh"), "9.9.9"]
    started = [
        subprocess.Popen(command, env=known, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    made = [it.communicate(timeout=60)[0] for it in started]
    assert [it.returncode for it in started] == [0, 0]
    assert len(set(made)) == 1 and Path(made[0].strip()).is_file()
    assert len(log.read_text().splitlines()) == 1
