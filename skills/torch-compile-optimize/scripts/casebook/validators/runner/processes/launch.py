"""How workers are started: command, environment and folders."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from validators.environment import Environment
from validators.files import ROOT, cache_folder

WORKER = ROOT / "validators" / "worker"
_UNUSED_SECONDS = 30 * 24 * 3600

# torch reads some 270 variables with these prefixes at import, and Python has its own. Neither a
# user's shell nor a coverage run may change what a case shows. A proof that needs a variable names
# it in `env`.
_SCRUBBED = (
    "AOT",
    "COVERAGE_",
    "CUDA_DEVICE_ORDER",
    "CUTEDSL_",
    "CUTLASS_",
    "DYNAMO_",
    "ENABLE_",
    "FX_",
    "GOMP_",
    "INDUCTOR_",
    "KMP_",
    "LOCAL_",
    "MKL_",
    "OMP_",
    "OPENBLAS_",
    "PARTITIONER_",
    "PT2_",
    "PYTHON",
    "PYTORCH_",
    "RANK",
    "TENSORIFY_",
    "TORCH",
    "TRITON_",
    "UNSAFE_",
    "WORLD_SIZE",
)


def worker_environment(env: Environment, extra: dict[str, str] | None = None) -> dict[str, str]:
    """The variables that a worker of `env` starts with; `extra` come on top."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_SCRUBBED)}
    warm = warm_directory(env)
    return {
        **kept,
        "CASEBOOK_DEVICE": env.device,
        "CASEBOOK_WARM": str(warm),
        "TMPDIR": str(warm),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        # One process per arm: a pool of compile workers would import torch again for each arm.
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
        # Arms share the cores: threads that spin while they wait would slow down the other arms.
        "OMP_WAIT_POLICY": "PASSIVE",
        # Arms copy the pages of the zygote that they write to: fewer, where pages are huge. So is
        # what Dynamo touches to time guards, 32 MiB in each compilation of a timed arm.
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        # nvidia-smi, which names the column, counts GPUs in this order.
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        **(extra or {}),
    }


def warm_directory(env: Environment) -> Path:
    """The folder that keeps the toolchain's set-up for this torch, compiler and processor."""
    mark = env.fingerprint
    key = "\n".join((env.python, mark.torch, mark.git, mark.python, mark.compiler, mark.processor))
    name = hashlib.sha256(key.encode()).hexdigest()[:16]
    folder = cache_folder() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"torch-compile-casebook-{os.getuid()}" / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.utime(folder)
    _remove_unused(folder.parent)
    return folder


def _remove_unused(base: Path) -> None:
    """Remove the set-ups of interpreters that nobody has used for a month: 150 MB each."""
    for folder in base.iterdir():
        mark = folder / "headers-ready"
        if mark.exists() and time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
