"""Vectors for tables."""

from tabvec.model import TableEncoder, build_encoder

__all__ = ["TableEncoder", "build_encoder"]
