"""Entry point: `python validators/worker zygote FD RUN_DIR` or `... arm FD DIRECTORY`."""

from __future__ import annotations

import sys
from pathlib import Path

# Started by path, the first entry is this folder, whose names could hide others'. A package
# called `validators` that the interpreter may have installed must not come before ours.
sys.path[0] = str(Path(__file__).resolve().parents[2])


def main(arguments: list[str]) -> None:
    """Serve as a zygote, or run one arm and leave."""
    mode, descriptor, directory = arguments[0], int(arguments[1]), Path(arguments[2])
    if mode == "zygote":
        from validators.worker.zygote import serve

        serve(descriptor, directory)
    else:
        from validators.worker.arm import run_fresh

        run_fresh(descriptor, directory)


main(sys.argv[1:])
