"""Interpreters of other releases, where pyenv has some."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from validators.environment import Environment, describe


def other_pythons(releases: str) -> list[str]:
    """Those whose releases match a pattern such as "3.1[1-9]", except for this one's."""
    folder = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    mine = f"3.{sys.version_info.minor}."
    found = [path for path in folder.glob(f"{releases}.*") if not path.name.startswith(mine)]
    return [str(path / "bin" / "python") for path in sorted(found)]


def cuda_build(release: str = "") -> Environment:
    """The first interpreter in CASEBOOK_PYTHONS that has a CUDA build of torch and Triton.

    If a `release` is named, of that release.
    """
    for python in filter(None, os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep)):
        env = describe(python)
        known = env.fingerprint.torch.partition("+")[0]
        if env.fingerprint.cuda and "triton" in env.modules and release in ("", known):
            return env
    wanted = f"torch {release}" if release else "torch"
    pytest.skip(f"CASEBOOK_PYTHONS names no interpreter with a CUDA build of {wanted} and Triton")


def with_package(name: str) -> str:
    """The first interpreter in CASEBOOK_PYTHONS that has a package."""
    ask = f"import importlib.util as it; raise SystemExit(it.find_spec({name!r}) is None)"
    for python in filter(None, os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep)):
        if subprocess.run([python, "-c", ask], check=False).returncode == 0:
            return python
    pytest.skip(f"CASEBOOK_PYTHONS names no interpreter with {name}; sh tools/models.sh prints one")
