"""The GPU of another maker than NVIDIA, as the torch that is built for it says."""

from __future__ import annotations

import json
import subprocess

from validators.environment.gpu import Gpu, NoGpu

_QUESTIONS = {
    "cuda": "torch.cuda.is_available() and of(torch.cuda.get_device_properties(0))",
    "xpu": "torch.xpu.is_available() and of(torch.xpu.get_device_properties(0))",
    "mps": "torch.backends.mps.is_available() and apple()",
}
"""By torch device type; to a program, a GPU of AMD's is a CUDA device."""
_PROGRAM = """
import json, subprocess, torch

def of(gpu):
    return gpu.name, gpu.total_memory // 2**20

def apple():
    asked = subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], stdout=subprocess.PIPE)
    return asked.stdout.decode().strip(), torch.mps.recommended_max_memory() // 2**20

print(json.dumps({question} or None))
"""


def ask_torch(python: str, device: str, driver: str) -> Gpu:
    """The first GPU of a torch device type that the torch of an interpreter sees.

    It imports torch, which takes seconds: the tools that list such GPUs differ by maker and by
    release. `driver` is what torch was built for, which stands for the driver's version.

    Raises:
        NoGpu: it sees none, or does not answer.
    """
    command = [python, "-E", "-c", _PROGRAM.replace("{question}", _QUESTIONS[device])]
    try:
        done = subprocess.run(command, capture_output=True, timeout=120, cwd="/")
        found = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        raise NoGpu("its torch does not say which GPU it sees") from None
    if not found:
        raise NoGpu(f"its torch, built for {driver}, sees no GPU")
    name, memory = found
    return Gpu(name, driver, memory, device=device)
