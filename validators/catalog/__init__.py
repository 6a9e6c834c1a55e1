"""The catalog: one case is a page `NAME.md` and a proof `NAME.py`, side by side in an area.

In: folders of pages and proofs. Out: cases, each problem with its place.
Imports: environment.
"""

from validators.catalog.case import Case
from validators.catalog.casebook import Casebook
from validators.catalog.discovery import Catalog, load_catalog
from validators.catalog.frontmatter import FrontMatter, GraphBreakRef, Holds, Upstream
from validators.catalog.holds import doubt_about, example_is_for, expected_to_hold

__all__ = [
    "Case",
    "Casebook",
    "Catalog",
    "FrontMatter",
    "GraphBreakRef",
    "Holds",
    "Upstream",
    "doubt_about",
    "example_is_for",
    "expected_to_hold",
    "load_catalog",
]
