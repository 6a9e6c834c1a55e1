"""The two preloaded libraries, compiled once, and the variables that an interpreter starts with."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from validators.pretended.boards import VARIABLE, Board

_HERE = Path(__file__).parent
_DRIVER = "libcuda.so.1"
_COMPILERS = ("cc", "gcc", "clang")


class NoLibraries(Exception):
    """Why the libraries cannot be made, as the end of a sentence with a remedy."""


def variables(board: Board, packages: Path, cache: Path) -> dict[str, str]:
    """The variables of an interpreter whose CUDA runtime answers for `board`.

    `packages` holds the interpreter's torch and CUDA's headers; the libraries are kept in `cache`.

    Raises:
        NoLibraries: there is no C compiler, or no header.
    """
    folder = _compiled(_headers(packages), cache)
    return {
        "LD_PRELOAD": f"{folder / 'runtime.so'}:{folder / _DRIVER}",
        VARIABLE: board.variable(),
        "CUDA_VISIBLE_DEVICES": "0",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "0",
    }


def _headers(packages: Path) -> tuple[Path, Path]:
    """The folders of CUDA's headers: those of its runtime, and of its compiler in Triton."""
    triton = packages / "triton" / "backends" / "nvidia" / "include"
    known = [*sorted(packages.glob("nvidia/cu*/include"))]
    for folder in (*known, packages / "nvidia" / "cuda_runtime" / "include"):
        if (folder / "cuda_runtime_api.h").is_file():
            return folder, triton
    raise NoLibraries(
        "it has no cuda_runtime_api.h; install torch from PyPI, which brings NVIDIA's packages"
    )


def _compiled(headers: tuple[Path, Path], cache: Path) -> Path:
    """The folder of the compiled libraries; a second process may make them at the same time."""
    sources = [_HERE / "runtime.c", _HERE / "driver.c", headers[0] / "cuda_runtime_api.h"]
    name = hashlib.sha256(b"".join(it.read_bytes() for it in sources)).hexdigest()[:16]
    folder = cache / f"pretended-{name}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=cache))
    _compile(sources[0], made / "runtime.so", *(f"-I{it}" for it in headers))
    _compile(sources[1], made / _DRIVER, f"-Wl,-soname,{_DRIVER}")
    try:
        made.rename(folder)
    except OSError:  # The other process was first.
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _compile(source: Path, to: Path, *options: str) -> None:
    wanted = os.environ.get("CC")
    compiler = next(filter(None, map(shutil.which, (*filter(None, [wanted]), *_COMPILERS))), "")
    if not compiler:
        raise NoLibraries("this machine has no C compiler; install gcc")
    command = [compiler, "-w", "-O1", "-fPIC", "-shared", str(source), "-o", str(to), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = next((it for it in done.stderr.splitlines() if "error" in it), "no message")
        raise NoLibraries(f"{compiler} cannot compile {source.name} ({said}); try another CC")
