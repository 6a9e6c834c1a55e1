"""What a case may need beyond torch; if it is missing, the case is `skipped` and says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from validators.environment.interpreter import Environment

NEEDS: dict[str, str] = {
    "triton": "the package triton",
    "numpy": "the package numpy",
    "transformers": "the package transformers",
    "tlparse": "the program tlparse",
}
"""Every name that a page's `needs` may list, and what messages call it."""

PROGRAMS = frozenset({"tlparse"})
"""The needs that are programs, found beside the interpreter or on PATH, and not imported."""


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
    if env.device == "cuda" and env.gpu_memory < it.gpu_memory:
        return f"{it.gpu_memory / 1024:.4g} GiB of GPU memory"
    missing = (need for need in it.needs if need not in env.modules)
    return next((NEEDS.get(need, need) for need in missing), "")
