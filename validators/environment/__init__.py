"""Where evidence comes from: an interpreter, its torch, a device; found without importing torch.

In: an interpreter's path. Out: its torch, its device, the name of its column.
Imports: pretended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from validators.environment.fingerprint import Fingerprint, column_of

if TYPE_CHECKING:
    from validators.environment.interpreter import Environment, describe

__all__ = ["Environment", "Fingerprint", "column_of", "describe"]


def __getattr__(name: str) -> Any:
    """Import `interpreter` on first use, since reading records does not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from validators.environment import interpreter

    return getattr(interpreter, name)
