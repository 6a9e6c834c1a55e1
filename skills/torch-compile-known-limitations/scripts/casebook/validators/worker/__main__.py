"""Entry point: `python validators/worker zygote|supervisor FD DIR`, or `... arm FD DIR PARENT`."""

from __future__ import annotations

import sys
from pathlib import Path

# Python puts this folder first, whose module names could hide others. And a package called
# `validators` that may be installed must not come before ours.
sys.path[0] = str(Path(__file__).resolve().parents[2])


def main(arguments: list[str]) -> None:
    """Serve as a supervisor or as a zygote, or run one arm and exit."""
    mode, descriptor, directory = arguments[0], int(arguments[1]), Path(arguments[2])
    if mode == "arm":
        from validators.worker.arm import run_fresh

        run_fresh(descriptor, directory, int(arguments[3]))
    else:
        from validators.worker.supervisor import serve

        serve(descriptor, directory, zygote=mode == "zygote")


main(sys.argv[1:])
