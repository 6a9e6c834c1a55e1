"""Pages of known events."""

from pagekeep.model import PageScorer, build_scorer

__all__ = ["PageScorer", "build_scorer"]
