"""Probes: the only code that uses torch's private APIs, and all that a case imports.

Importing this package imports neither torch nor any probe. The first use of a name imports its
module, so a case's evidence depends only on the probes that it uses.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from validators.probes.report import Report

if TYPE_CHECKING:
    from validators.probes.arguments import call
    from validators.probes.audit import audit_agrees, audits, set_audit
    from validators.probes.blocks import compile_blocks
    from validators.probes.capture import captured_log, captured_stderr
    from validators.probes.dispatch import guard_cost, null_backend
    from validators.probes.distributed import process_group
    from validators.probes.evaluations import guard_evaluations
    from validators.probes.facts import api_places, captured_facts, config_values, mode_options
    from validators.probes.graph_counts import counting_backend, with_and_without_fullgraph
    from validators.probes.inductor import inductor_code, kernels_not_built
    from validators.probes.kernels import triton_compiles
    from validators.probes.observation import observe
    from validators.probes.partitions import graph_partitions
    from validators.probes.resources import kernel_resources
    from validators.probes.steps import (
        compare_first_steps,
        compare_steps,
        gain_below,
        gain_within,
    )
    from validators.probes.timing import event_times
    from validators.probes.training import training_step
    from validators.probes.witness import WitnessError
    from validators.probes.work import compile_work

_MODULES = {
    "WitnessError": "witness",
    "api_places": "facts",
    "audit_agrees": "audit",
    "audits": "audit",
    "call": "arguments",
    "captured_facts": "facts",
    "captured_log": "capture",
    "captured_stderr": "capture",
    "compare_first_steps": "steps",
    "compare_steps": "steps",
    "compile_blocks": "blocks",
    "compile_work": "work",
    "config_values": "facts",
    "counting_backend": "graph_counts",
    "event_times": "timing",
    "gain_below": "steps",
    "gain_within": "steps",
    "graph_partitions": "partitions",
    "guard_cost": "dispatch",
    "guard_evaluations": "evaluations",
    "inductor_code": "inductor",
    "kernel_resources": "resources",
    "kernels_not_built": "inductor",
    "mode_options": "facts",
    "null_backend": "dispatch",
    "observe": "observation",
    "process_group": "distributed",
    "set_audit": "audit",
    "training_step": "training",
    "triton_compiles": "kernels",
    "with_and_without_fullgraph": "graph_counts",
}

__all__ = [
    "Report",
    "WitnessError",
    "api_places",
    "audit_agrees",
    "audits",
    "call",
    "captured_facts",
    "captured_log",
    "captured_stderr",
    "compare_first_steps",
    "compare_steps",
    "compile_blocks",
    "compile_work",
    "config_values",
    "counting_backend",
    "event_times",
    "gain_below",
    "gain_within",
    "graph_partitions",
    "guard_cost",
    "guard_evaluations",
    "inductor_code",
    "kernel_resources",
    "kernels_not_built",
    "mode_options",
    "null_backend",
    "observe",
    "process_group",
    "set_audit",
    "training_step",
    "triton_compiles",
    "with_and_without_fullgraph",
]


def __getattr__(name: str) -> Any:
    """Import the module of a probe when the probe is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
