"""Grades of essays."""

from essay.model import Essay, build_essay

__all__ = ["Essay", "build_essay"]
