"""The command `casebook` of an installation.

A wheel holds the command line, and the part of a checkout that its commands read, in the folder
`bundle`: the distribution `validators` is somebody else's, so ours may not lie beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_BUNDLE = _HERE / "bundle"


def main() -> None:
    """Run the command line, from the wheel's bundle or from the checkout around this folder."""
    sys.path.insert(0, str(_BUNDLE if _BUNDLE.is_dir() else _HERE.parent))
    from validators.__main__ import begin

    begin()
