"""A classifier with optional layers."""

from elastic.model import Elastic, build_elastic

__all__ = ["Elastic", "build_elastic"]
