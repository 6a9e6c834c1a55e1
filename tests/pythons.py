"""Interpreters of other releases, where pyenv has some."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def other_pythons(releases: str) -> list[str]:
    """Those whose releases match a pattern such as "3.1[1-9]", except for this one's."""
    folder = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    mine = f"3.{sys.version_info.minor}."
    found = [path for path in folder.glob(f"{releases}.*") if not path.name.startswith(mine)]
    return [str(path / "bin" / "python") for path in sorted(found)]
