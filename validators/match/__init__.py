"""Which case explains a log: an index of the catalog, and the search in it. Needs no torch."""

from validators.match.index import Index, build_index
from validators.match.reading import read_lines
from validators.match.search import Found, Match, search

__all__ = ["Found", "Index", "Match", "build_index", "read_lines", "search"]
