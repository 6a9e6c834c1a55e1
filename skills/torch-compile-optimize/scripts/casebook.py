"""Made by `python -m validators skills build`; do not edit. See --help."""

import sys
from pathlib import Path

if sys.version_info < (3, 10):
    sys.exit(f"Error: Python {sys.version.split()[0]} is too old; use 3.10 or newer")
sys.dont_write_bytecode = True
sys.path[0] = str(Path(__file__).resolve().parent / "casebook")

from validators.skillpack.shipped.command import main  # noqa: E402

main()
