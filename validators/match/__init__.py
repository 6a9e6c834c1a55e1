"""Which case explains a log: an index of the catalog, and the search in it. Needs no torch."""

from validators.match.index import Index, build_index
from validators.match.reading import read_lines
from validators.match.search import Found, Match, search

LEARN_MORE = (
    "Nothing known. To learn more, run a few steps with "
    '`TORCH_LOGS="graph_breaks,recompiles,cudagraphs"` and match what they print.'
)
"""What to do where the answer is silence."""

__all__ = ["LEARN_MORE", "Found", "Index", "Match", "build_index", "read_lines", "search"]
