"""What an environment lacks of what a case needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from validators.environment.interpreter import Environment
from validators.environment.needs import NEEDS


class Needing(Protocol):
    """What names its needs: packages and programs, and MiB of memory on a GPU."""

    @property
    def needs(self) -> Sequence[str]:
        """Names of `NEEDS`."""

    @property
    def gpu_memory(self) -> int:
        """In MiB; it counts only on a GPU."""


def lacking(it: Needing, env: Environment) -> str:
    """What `it` needs beside a device and `env` lacks, in words; "" if it lacks nothing."""
    if env.device != "cpu" and env.gpu_memory < it.gpu_memory:
        return f"{it.gpu_memory / 1024:.4g} GiB of GPU memory"
    missing = (need for need in it.needs if need not in env.modules)
    return next((NEEDS.get(need, need) for need in missing), "")
