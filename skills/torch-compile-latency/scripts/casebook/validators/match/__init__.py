"""Which page answers a query or explains a log: an index, and the search in it. Needs no torch."""

from validators.match.index import Index
from validators.match.reading import lines_of, read_lines
from validators.match.search import search, search_log
from validators.match.tally import Found, Match

NOTHING = "Nothing known."
"""The answer where no case fits."""

GUESSES = "No line of this is known. These cases share words with it; see whether one fits:"
"""Said before the answers to a log if the best of them has no line as evidence."""

NEAREST = "The cases nearest to these words, best first:"
"""Said before the answers to a query if it does not name the best of them."""

LEARN_MORE = (
    'To learn more, run a few steps with `TORCH_LOGS="graph_breaks,recompiles,cudagraphs"` and'
    " match what they print."
)
"""What to do after no answer, or after guesses about a log."""

REGISTRY = "https://meta-pytorch.github.io/compile-graph-break-site/gb/{}.html"
"""PyTorch's page of a graph break, by its id in lower case."""

__all__ = [
    "GUESSES",
    "LEARN_MORE",
    "NEAREST",
    "NOTHING",
    "REGISTRY",
    "Found",
    "Index",
    "Match",
    "lines_of",
    "read_lines",
    "search",
    "search_log",
]
