"""Arms whose reports are known, on every torch release that the project supports.

Run as a script, in any interpreter that has torch, this prints what each arm showed as JSON.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

import torch

from tests.validators.probes import arms_breaks, arms_probes, arms_recompiles, arms_runs
from tests.validators.probes.arms import ARMS, SINCE, SLOW, expected_on, release_of, run

__all__ = ["ARMS", "SLOW", "expected_on", "release_of", "run", "sequential_is_compiled"]

# Importing these fills the register.
_FILLED = (arms_breaks, arms_recompiles, arms_runs, arms_probes)
sequential_is_compiled = arms_runs.sequential_is_compiled


def main(names: list[str]) -> None:
    """Print what each named arm showed, or all that are not slow, as one JSON object."""
    warnings.simplefilter("ignore")
    chosen = names or [name for name in ARMS if name not in SLOW]
    shown = {name: run(name) for name in chosen if release_of(torch.__version__) >= SINCE[name]}
    shown["sequential_is_compiled"] = sequential_is_compiled().calls[0].executions
    print(json.dumps({"torch": torch.__version__, "shown": shown}))


if __name__ == "__main__":
    main(sys.argv[1:])
