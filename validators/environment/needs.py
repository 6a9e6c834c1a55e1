"""What a case may need beyond torch; an unmet need makes it `skipped`, by name."""

NEEDS: dict[str, str] = {
    "triton": "the package triton",
    "numpy": "the package numpy",
    "transformers": "the package transformers",
    "tlparse": "the program tlparse",
}
"""Every name that a page's `needs` may list, and how it is said (a package or a program)."""

PROGRAMS = frozenset({"tlparse"})
"""Those that are programs, beside the interpreter or on PATH, and cannot be imported."""
