"""What an interpreter has, found without importing torch."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from validators.environment.fingerprint import Fingerprint, column_of
from validators.environment.gpu import Gpu, NoGpu, find_gpu
from validators.environment.needs import NEEDS, PROGRAMS
from validators.environment.other_makers import ask_torch
from validators.errors import CasebookError

# Runs in that interpreter, which has none of our packages; find_spec does not import torch.
_QUESTION = """
import importlib.util, json, os, platform, shutil, sys
def where(name):
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return ""
    return (spec.origin or "") if spec else ""
def program(name):
    beside = os.path.dirname(sys.executable)
    return shutil.which(name, path=beside) or shutil.which(name) or ""
names, programs = json.loads(sys.argv[1])
print(json.dumps({
    "python": platform.python_version(),
    "executable": sys.executable,
    "modules": {
        **{name: where(name) for name in names},
        **{name: program(name) for name in programs},
    },
}))
"""
# Arms inherit these, and they change what a kernel computes. Schedulers set the first to "" for
# what runs on a CPU.
_VARIABLES = (
    "CUDA_VISIBLE_DEVICES",
    "CUDA_LAUNCH_BLOCKING",
    "CUBLAS_WORKSPACE_CONFIG",
    "NVIDIA_TF32_OVERRIDE",
    "ATEN_CPU_CAPABILITY",
)
MINIMUM_PYTHON = (3, 10)


@dataclass(frozen=True)
class Environment:
    """An interpreter with torch, and the device that arms run on.

    `modules` names the optional packages that it can import and the programs that it can start,
    `gpu_memory` is in MiB, `packages` is the folder that holds its torch. `board` is the
    architecture, such as "sm_90", of a GPU that is not there and that arms compile for, else "";
    the interpreter then starts with `variables`.
    """

    python: str
    fingerprint: Fingerprint
    modules: frozenset[str]
    gpu_memory: int = 0
    packages: Path = Path()
    board: str = ""
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def column(self) -> str:
        """The column of the evidence from it."""
        return column_of(self.fingerprint)

    @property
    def device(self) -> str:
        """The torch device type that arms are given, such as "cpu" or "cuda"."""
        return self.fingerprint.device_type

    @property
    def gpu(self) -> bool:
        """Whether arms run on a GPU."""
        return self.device != "cpu" and not self.board


def describe(python: str, device: str = "cpu") -> Environment:
    """The environment of the interpreter at `python`.

    `device` is "cpu", a type of GPU ("cuda", "xpu" or "mps"), or "auto", which takes the GPU that
    torch was built for, else the CPU.

    Raises:
        CasebookError: the interpreter is missing, too old or has no readable torch, or there is no
            GPU of the type.
    """
    answer = _ask(python)
    version = tuple(int(part) for part in answer.python.split(".")[:2])
    if version < MINIMUM_PYTHON:
        raise CasebookError(
            f"{python}: is Python {answer.python}, but arms need 3.10 or newer; name another one"
        )
    origin = answer.modules["torch"]
    if not origin:
        raise CasebookError(f"{python}: has no torch; install it there or name another --python")
    build = _torch_build(Path(origin).parent, python)
    gpu = None
    if device != "cpu":
        try:
            gpu = _usable_gpu(build, answer.executable, device)
        except NoGpu as why:
            if device != "auto":
                message = f"{python}: --device {device} cannot run, {why}; use --device cpu"
                raise CasebookError(message) from None
    modules = frozenset(name for name, place in answer.modules.items() if place)
    fingerprint = Fingerprint(
        torch=build["version"],
        git=build["git"],
        cuda=build["cuda"],
        python=answer.python,
        triton=_package_version(answer.modules["triton"]),
        device=gpu.device if gpu else "cpu",
        accelerator=gpu.name if gpu else "",
        driver=gpu.driver if gpu else "",
        processor=_processor(),
        compiler=_compiler(),
        os=f"{platform.system()} {platform.machine()} {_libc()}".strip(),
        variables={name: os.environ[name] for name in _VARIABLES if os.environ.get(name)},
    )
    memory, packages = gpu.memory if gpu else 0, Path(origin).parents[1]
    return Environment(answer.executable, fingerprint, modules, memory, packages)


def _usable_gpu(build: dict[str, str], python: str, device: str) -> Gpu:
    """The GPU of type `device`, or "auto", that an interpreter's build of torch computes on."""
    if build["hip"]:
        of, driver = "cuda", f"HIP {build['hip']}"
    elif build["xpu"]:
        of, driver = "xpu", f"SYCL {build['xpu']}"
    elif build["cuda"]:
        of, driver = "cuda", ""
    elif platform.system() == "Darwin":
        of, driver = "mps", f"macOS {platform.mac_ver()[0]}"
    else:
        raise NoGpu("its torch is a CPU build")
    if device not in (of, "auto"):
        raise NoGpu(f"its torch is built for {of}")
    return ask_torch(python, of, driver) if driver else find_gpu()


@dataclass
class _Answer:
    """The interpreter's answer: the path of each module or program, "" for one that it lacks."""

    python: str
    executable: str
    modules: dict[str, str]


def _ask(python: str) -> _Answer:
    path = shutil.which(python)
    if not path:
        raise CasebookError(f"{python}: is not a Python interpreter; give its path to --python")
    # An absolute path, but not a resolved one: a virtual environment's python is a link.
    # -E, since arms run without PYTHONPATH and Python's other variables, and so must this.
    names = json.dumps([["torch", *sorted(NEEDS.keys() - PROGRAMS)], sorted(PROGRAMS)])
    command = [str(Path(path).absolute()), "-E", "-c", _QUESTION, names]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, cwd="/")
        return _Answer(**json.loads(done.stdout))
    except (OSError, subprocess.TimeoutExpired, ValueError, TypeError):
        raise CasebookError(
            f"{python}: does not answer as a Python interpreter; give its path to --python"
        ) from None


def _torch_build(folder: Path, python: str) -> dict[str, str]:
    try:
        text = (folder / "version.py").read_text()
    except OSError:
        raise CasebookError(
            f"{python}: its torch in {folder} has no version.py; reinstall torch there"
        ) from None

    def value(name: str) -> str:
        found = re.search(rf"^{name}\b[^=]*=\s*['\"]([^'\"]*)['\"]", text, re.MULTILINE)
        return found[1] if found else ""

    if not value("__version__"):
        raise CasebookError(f"{folder}/version.py: names no version; reinstall torch there")
    makers = {name: value(name) for name in ("cuda", "hip", "xpu")}
    return {"version": value("__version__"), "git": value("git_version"), **makers}


def _package_version(origin: str) -> str:
    """The `__version__` in a package's `__init__.py` at `origin`; "" if there is none."""
    if not origin:
        return ""
    found = re.search(r"^__version__\s*=\s*['\"]([^'\"]+)", Path(origin).read_text(), re.MULTILINE)
    return found[1] if found else "unknown"


@cache
def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.machine()


@cache
def _compiler() -> str:
    """The first version line of the C++ compiler that Inductor would use."""
    for name in (os.environ.get("CXX"), "g++", "clang++"):
        if name and shutil.which(name):
            done = subprocess.run([name, "--version"], capture_output=True, text=True)
            return done.stdout.split("\n")[0].strip()
    return ""


def _libc() -> str:
    name, version = platform.libc_ver()
    return f"{name}-{version}" if name else ""
