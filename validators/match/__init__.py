"""Which case explains a log: an index of the catalog, and the search in it. Needs no torch."""

from validators.match.index import Index, build_index
from validators.match.reading import read_lines
from validators.match.search import Found, Match, search

LEARN_MORE = (
    "Nothing known. To learn more, run a few steps with "
    '`TORCH_LOGS="graph_breaks,recompiles,cudagraphs"` and match what they print.'
)
"""What to do where the answer is silence."""

REGISTRY = "https://meta-pytorch.github.io/compile-graph-break-site/gb/{}.html"
"""PyTorch's page of a graph break, by its id in lower case."""

__all__ = [
    "LEARN_MORE",
    "REGISTRY",
    "Found",
    "Index",
    "Match",
    "build_index",
    "read_lines",
    "search",
]
