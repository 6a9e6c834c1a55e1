"""Probes: the only code that touches torch's private parts, and all that a case imports.

Importing this package imports neither torch nor any probe; each name brings its module when it
is first used, so that a case's evidence depends on the probes which it uses and on no others.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from validators.probes.report import Report

if TYPE_CHECKING:
    from validators.probes.audit import audit_agrees, audits, set_audit
    from validators.probes.observation import call, compile_blocks, observe
    from validators.probes.witness import WitnessError

_MODULES = {
    "audit_agrees": "audit",
    "audits": "audit",
    "set_audit": "audit",
    "call": "observation",
    "compile_blocks": "observation",
    "observe": "observation",
    "WitnessError": "witness",
}

__all__ = [
    "Report",
    "WitnessError",
    "audit_agrees",
    "audits",
    "call",
    "compile_blocks",
    "observe",
    "set_audit",
]


def __getattr__(name: str) -> Any:
    """Import the module of a probe when the probe is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
