"""What a case may need beyond torch; an unmet need makes it `skipped`, by name."""

NEEDS: dict[str, str] = {
    "triton": "the package triton",
    "numpy": "the package numpy",
    "transformers": "the package transformers",
}
"""Every name that a page's `needs` may list (an importable package), and how it is said."""
