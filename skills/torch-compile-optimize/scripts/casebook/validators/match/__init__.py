"""Which page answers a query or explains a log: an index, and the search in it. Needs no torch.

In: a log or a query, and an index. Out: pages, best first, and what speaks for each.
Imports: catalog, match.language.
"""

from validators.match.index import Index
from validators.match.reading import lines_of, read_lines
from validators.match.search import search, search_log
from validators.match.tally import Found, Match

NOTHING = "Nothing known."
"""The answer where no case fits."""

GUESSES = "No line of this is known. These cases share words with it; see whether one fits:"
"""Said before the answers to a log if the best of them has no line as evidence."""

SISTERS = "Several cases print such lines; see whose code and symptom are yours:"
"""Said before the answers to a log if the best of them has no line that only its cause prints."""

NEAREST = "Perhaps one of these, best first; see whether its symptom is yours:"
"""Said before the answers to a query if it is not sure that the first of them fits."""

UNKNOWN = "No page mentions {}."
"""Said of words in a query without an answer."""

AREA_NEAR = "The nearest area is {}: {}"
"""Said after it: the area's title and what it is about."""

LEARN_MORE = (
    'To learn more, run a few steps with `TORCH_LOGS="graph_breaks,recompiles,cudagraphs"` and'
    " match what they print."
)
"""What to do after no answer, or after guesses about a log."""

REGISTRY = "https://meta-pytorch.github.io/compile-graph-break-site/gb/{}.html"
"""PyTorch's page of a graph break, by its id in lower case."""

__all__ = [
    "AREA_NEAR",
    "GUESSES",
    "LEARN_MORE",
    "NEAREST",
    "NOTHING",
    "REGISTRY",
    "SISTERS",
    "UNKNOWN",
    "Found",
    "Index",
    "Match",
    "lines_of",
    "read_lines",
    "search",
    "search_log",
]
