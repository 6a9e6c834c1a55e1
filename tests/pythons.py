"""Interpreters of other releases, where pyenv has some."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from validators.environment import Environment, describe
from validators.environment.any_device import environment_on
from validators.files import ROOT


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


def pretending(arch: str, folder: Path, *command: str, release: str = "") -> str:
    """The last line that a program prints in an interpreter that pretends to have a board.

    The caches lie in `folder`; if a `release` of torch is named, the interpreter has that one.
    """
    env = environment_on(cuda_build(release).python, arch)
    variables = {
        **os.environ,
        **env.variables,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "triton"),
    }
    done = subprocess.run(
        [env.python, *command], env=variables, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip().splitlines()[-1]


def with_package(name: str) -> str:
    """The first interpreter in CASEBOOK_PYTHONS that has a package."""
    ask = f"import importlib.util as it; raise SystemExit(it.find_spec({name!r}) is None)"
    for python in filter(None, os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep)):
        if subprocess.run([python, "-c", ask], check=False).returncode == 0:
            return python
    pytest.skip(f"CASEBOOK_PYTHONS names no interpreter with {name}; sh tools/models.sh prints one")
