"""Prints the part of CHANGELOG.md about the present version: `python tools/release_notes.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from validators import __version__  # noqa: E402
from validators.checks.changelog import releases  # noqa: E402

notes = dict(releases((ROOT / "CHANGELOG.md").read_text("utf-8")))
if __version__ not in notes:
    sys.exit(f"Error: CHANGELOG.md: has no section {__version__}; write what is new")
print("\n".join(notes[__version__]).strip())
