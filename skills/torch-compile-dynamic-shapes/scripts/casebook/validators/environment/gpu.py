"""The GPU that arms will see, found with the driver's own tool and not with torch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_MEMORY_PER_ARM = 8 * 1024
"""MiB. Weights, gradients and Adam's state of the largest reference model are 2.1 GiB of it."""


@dataclass(frozen=True)
class Gpu:
    """A GPU, or one slice of it (MIG): its name, its driver's version, its memory in MiB.

    nvidia-smi finds it by its `index`; torch computes on it as on a `device` of this type.
    """

    name: str
    driver: str
    memory: int
    index: str = "0"
    device: str = "cuda"


class NoGpu(Exception):
    """Why no GPU can be used, as the end of a sentence."""


@cache
def find_gpu() -> Gpu:
    """The first GPU that CUDA_VISIBLE_DEVICES leaves visible.

    Raises:
        NoGpu: there is none, or its driver does not answer.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0].strip()
    if visible in ("", "-1"):
        raise NoGpu("CUDA_VISIBLE_DEVICES hides every GPU")
    if not shutil.which("nvidia-smi"):
        raise NoGpu("no NVIDIA GPU was found (there is no nvidia-smi)")
    index, profile = visible, ""
    if visible.startswith("MIG"):
        index, profile = next(((i, p) for i, p, uuid in _slices() if uuid == visible), ("", ""))
    if not index:
        raise NoGpu(f"nvidia-smi lists no slice {visible}")
    fields = "name,driver_version,memory.total,mig.mode.current"
    rows = _ask(f"--query-gpu={fields}", "--format=csv,noheader,nounits", f"--id={index}")
    name, driver, memory, mig = [field.strip() for field in rows[0].split(",")]
    if mig == "Enabled" and not profile:
        profile = next((p for i, p, _ in _slices() if i == index), "")
    if found := re.search(r"\.(\d+)gb", profile):
        return Gpu(f"{name} MIG {profile}", driver, int(found[1]) * 1024, index)
    return Gpu(name, driver, int(memory) if memory.isdigit() else 0, index)


def arms_at_once(memory: int) -> int:
    """How many arms fit on a GPU with `memory` MiB."""
    return max(1, memory // _MEMORY_PER_ARM)


def gpu_programs() -> list[str]:
    """The names of the programs that now use the GPU of `find_gpu`; none if that is unknown."""
    try:
        programs = "--query-compute-apps=process_name"
        return _ask(programs, "--format=csv,noheader", f"--id={find_gpu().index}")
    except NoGpu:
        return []


def _slices() -> Iterator[tuple[str, str, str]]:
    """Each slice: its GPU's index, its profile such as "1g.10gb", its UUID."""
    index = ""
    for line in _ask("--list-gpus"):
        if found := re.match(r"GPU (\d+):", line):
            index = found[1]
        elif found := re.match(r"\s+MIG (\S+)\s.*UUID: (MIG-[^)]+)\)", line):
            yield index, found[1], found[2]


def _ask(*arguments: str) -> list[str]:
    """The lines that nvidia-smi prints."""
    try:
        done = subprocess.run(
            ["nvidia-smi", *arguments], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoGpu(f"nvidia-smi does not answer ({error})") from None
    said = (done.stdout.strip("\n") or done.stderr.strip()).split("\n")
    if done.returncode or not said[0]:
        raise NoGpu(f"nvidia-smi found no GPU ({said[0].strip() or 'it says nothing'})")
    return said
