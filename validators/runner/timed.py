"""How the arms of a case that measures time run beside others."""

from __future__ import annotations

from validators.catalog import Case
from validators.catalog.proof import InvalidProof, read_proof

_TURNS = {"compare_steps", "compare_first_steps"}
"""The probes that time alone, whatever else of this run has been started."""


def takes_turns(case: Case) -> bool:
    """Whether a probe times the arms, so that others may compile until it does."""
    if not case.meta.exclusive:
        return False
    try:
        imports = read_proof(case.proof).imports()
    except InvalidProof:  # no arm will run
        return False
    return any(_TURNS & {*it.names} for it in imports)
