"""Why `verify-fix` refuses a fix, by what both forms did."""

from __future__ import annotations

from dataclasses import replace

from validators.diagnose.findings import Health
from validators.diagnose.verify import refusals

SOUND = {"raised": "", "difference": "", "settings": {}}
BROKEN = Health(graphs=2, breaks=1, recompiles=0, limits=0, compiled=0.8, raised="")
FIXED = Health(graphs=2, breaks=0, recompiles=1, limits=0, compiled=1.0, raised="")


def test_more_recompiles_are_refused() -> None:
    """Also where something else got better."""
    assert refusals(BROKEN, FIXED, SOUND) == ["it has more recompiles: 1, were 0"]
    assert refusals(BROKEN, replace(FIXED, recompiles=0), SOUND) == []


def test_a_target_that_raised_was_not_counted_to_its_end() -> None:
    """What came after its exception may recompile."""
    assert refusals(replace(BROKEN, breaks=0, raised="TypeError: no"), FIXED, SOUND) == []
