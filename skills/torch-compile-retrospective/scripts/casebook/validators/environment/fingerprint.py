"""The exact environment of a record, and the column that it belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from validators.versions import public_version

COMPILED = "compiled"
"""The device of a fingerprint whose arms compile for a GPU that is not there."""


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """All that may change a verdict in an environment; every record carries one.

    `torch` is the full version with its local part, `git` torch's commit, `cuda` the CUDA release
    that torch was built for. `device` is the torch device type, or "compiled" where arms compile
    for a GPU that is not there. `accelerator` is the GPU's name, or the architecture compiled for,
    "" on a CPU. `driver` is the version of its driver, or of what a torch for another maker's GPU
    was built for, such as "HIP 7.0".
    `compiler` is the first line of the C++ compiler's version. `variables` are the environment
    variables that arms inherit and that change results.
    """

    torch: str
    git: str
    cuda: str
    python: str
    triton: str
    device: str
    accelerator: str
    driver: str
    processor: str
    compiler: str
    os: str
    variables: dict[str, str]

    @property
    def device_type(self) -> str:
        """The torch device type that arms are given, such as "cpu" or "cuda"."""
        return "cuda" if self.device == COMPILED else self.device


def column_of(fingerprint: Fingerprint) -> str:
    """The column, such as `torch-2.13.0-cpu` or `torch-2.11.0-h200`; it also names a folder.

    What was compiled for a GPU and never ran belongs to one like `torch-2.15.0-sm90-compiled`, and
    what ran on a GPU that is no CUDA device to one like `torch-2.15.0-arc-b580-xpu`.
    """
    version = public_version(fingerprint.torch)
    if fingerprint.device == "cpu":
        return f"torch-{version}-cpu"
    if fingerprint.device == COMPILED:
        return f"torch-{version}-{fingerprint.accelerator.replace('_', '')}-{COMPILED}"
    suffix = "" if fingerprint.device == "cuda" else f"-{fingerprint.device}"
    return f"torch-{version}-{accelerator_slug(fingerprint.accelerator)}{suffix}"


_MAKERS = {"nvidia", "geforce", "tesla", "quadro", "amd", "instinct", "intel", "apple", "r", "tm"}
_VARIANTS = {"ti", "super", "ada", "laptop", "mig", "pro", "max", "ultra"}


def accelerator_slug(name: str) -> str:
    """A short name for a GPU: "NVIDIA H100 80GB HBM3" becomes "h100".

    It ends with the first word that holds a digit, and later words that name a variant.
    """
    words = [word for word in re.findall(r"[a-z0-9]+", name.lower()) if word not in _MAKERS]
    model = next((i for i, word in enumerate(words) if re.search(r"\d", word)), len(words))
    variants = [word for word in words[model + 1 :] if word in _VARIANTS]
    return "-".join(words[: model + 1] + variants) or "cuda"
