"""Matching of sketches."""

from pairwise.model import Matcher, build_matcher

__all__ = ["Matcher", "build_matcher"]
