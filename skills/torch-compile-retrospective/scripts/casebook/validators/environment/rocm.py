"""The GPU that a torch built for ROCm computes on, which to a program is a CUDA device."""

from __future__ import annotations

import json
import subprocess

from validators.environment.gpu import Gpu, NoGpu

_QUESTION = """
import json, torch
gpu = torch.cuda.get_device_properties(0) if torch.cuda.is_available() else None
print(json.dumps([gpu.name, gpu.total_memory // 2**20] if gpu else None))
"""


def ask_torch(python: str, hip: str) -> Gpu:
    """The first GPU that the torch of an interpreter sees, built for this HIP release.

    It imports torch, which takes seconds: the tools that list such GPUs differ from one release of
    ROCm to another.

    Raises:
        NoGpu: it sees none, or does not answer.
    """
    command = [python, "-E", "-c", _QUESTION]
    try:
        done = subprocess.run(command, capture_output=True, timeout=120, cwd="/")
        found = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        raise NoGpu("its torch does not say which GPU it sees") from None
    if not found:
        raise NoGpu("its torch, built for ROCm, sees no GPU")
    name, memory = found
    return Gpu(name, f"HIP {hip}", memory, "0")
