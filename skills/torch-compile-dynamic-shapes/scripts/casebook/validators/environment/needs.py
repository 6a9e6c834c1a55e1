"""What a case may need beyond torch; if it is missing, the case is `skipped` and says so."""

from __future__ import annotations

NEEDS: dict[str, str] = {
    "triton": "the package triton",
    "numpy": "the package numpy",
    "pydantic": "the package pydantic",
    "transformers": "the package transformers",
    "tlparse": "the program tlparse",
}
"""Every name that a page's `needs` may list, and what messages call it."""

PROGRAMS = frozenset({"tlparse"})
"""The needs that are programs, found beside the interpreter or on PATH, and not imported."""
