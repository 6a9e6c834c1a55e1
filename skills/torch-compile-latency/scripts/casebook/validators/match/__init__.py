"""Which case explains a log: an index of the catalog, and the search in it. Needs no torch."""

from validators.match.index import Index
from validators.match.reading import read_lines
from validators.match.search import Found, Match, search, search_words

NOTHING = "Nothing known."
"""The answer where no case fits."""

GUESSES = "No line of this is known. These cases share words with it; see whether one fits:"
"""Said before the answers if the best of them has no line as evidence."""

LEARN_MORE = (
    'To learn more, run a few steps with `TORCH_LOGS="graph_breaks,recompiles,cudagraphs"` and'
    " match what they print."
)
"""What to do after no answer, or after guesses."""

REGISTRY = "https://meta-pytorch.github.io/compile-graph-break-site/gb/{}.html"
"""PyTorch's page of a graph break, by its id in lower case."""

__all__ = [
    "GUESSES",
    "LEARN_MORE",
    "NOTHING",
    "REGISTRY",
    "Found",
    "Index",
    "Match",
    "read_lines",
    "search",
    "search_words",
]
