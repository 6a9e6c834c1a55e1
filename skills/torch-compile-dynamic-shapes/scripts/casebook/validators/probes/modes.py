"""Modes to run an arm in again for another witness: audited, uncompiled or on another backend.

A worker enters a mode before it loads the proof, in a process of its own.
"""

from __future__ import annotations

import contextlib
from typing import Any

from validators.probes import audit

AUDIT = "audit"
UNCOMPILED = "uncompiled"
_REPLACED = {"aot_eager": ("eager",), "inductor": ("eager", "aot_eager")}
"""The backends that a witness's backend stands in for."""

_held = contextlib.ExitStack()
_used: set[str] = set()


def enter(mode: str) -> None:
    """Run everything from now on in `mode`: "audit", "uncompiled", "aot_eager" or "inductor"."""
    if mode == AUDIT:
        audit.set_audit(True)
    elif mode == UNCOMPILED:
        _never_compile()
    else:
        _substitute(mode)


def substituted() -> bool:
    """Whether code asked for a backend by name and got the witness's instead."""
    return bool(_used)


def _never_compile() -> None:
    """Run all compiled functions eagerly, whatever stance the proof sets."""
    import torch

    from validators.probes.switches import force_eager

    _held.enter_context(force_eager())
    torch.compiler.set_stance = lambda *_args, **_options: _Ignored()


class _Ignored(contextlib.ContextDecorator):
    """What `set_stance` returns instead; it does nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def _substitute(backend: str) -> None:
    """Register `backend` under the names of the backends that it replaces."""
    from torch._dynamo.backends import registry

    registry._lazy_import()
    real = registry.lookup_backend(backend)
    for name in _REPLACED[backend]:

        def stand_in(gm: Any, inputs: Any, *, name: str = name, **options: Any) -> Any:
            _used.add(name)
            return real(gm, inputs, **options)

        stand_in._tags = ("debug",)  # type: ignore[attr-defined]
        registry._COMPILER_FNS[name] = stand_in
