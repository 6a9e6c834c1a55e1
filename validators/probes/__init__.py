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
    from validators.probes.cuda import event_times
    from validators.probes.evaluations import guard_evaluations
    from validators.probes.facts import api_places, captured_facts, config_values, mode_options
    from validators.probes.guards import guard_cost, null_backend
    from validators.probes.inductor import inductor_code
    from validators.probes.kernels import triton_compiles
    from validators.probes.observation import call, compile_blocks, observe
    from validators.probes.training import training_step
    from validators.probes.variants import compare_first_steps, compare_steps
    from validators.probes.witness import WitnessError
    from validators.probes.work import compile_work

_MODULES = {
    "WitnessError": "witness",
    "api_places": "facts",
    "audit_agrees": "audit",
    "audits": "audit",
    "call": "observation",
    "captured_facts": "facts",
    "compare_first_steps": "variants",
    "compare_steps": "variants",
    "compile_blocks": "observation",
    "compile_work": "work",
    "config_values": "facts",
    "event_times": "cuda",
    "guard_cost": "guards",
    "guard_evaluations": "evaluations",
    "inductor_code": "inductor",
    "mode_options": "facts",
    "null_backend": "guards",
    "observe": "observation",
    "set_audit": "audit",
    "training_step": "training",
    "triton_compiles": "kernels",
}

__all__ = [
    "Report",
    "WitnessError",
    "api_places",
    "audit_agrees",
    "audits",
    "call",
    "captured_facts",
    "compare_first_steps",
    "compare_steps",
    "compile_blocks",
    "compile_work",
    "config_values",
    "event_times",
    "guard_cost",
    "guard_evaluations",
    "inductor_code",
    "mode_options",
    "null_backend",
    "observe",
    "set_audit",
    "training_step",
    "triton_compiles",
]


def __getattr__(name: str) -> Any:
    """Import the module of a probe when the probe is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
