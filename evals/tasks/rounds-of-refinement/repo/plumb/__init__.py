"""Depth maps, refined in rounds."""

from plumb.model import Plumb, build_plumb

__all__ = ["Plumb", "build_plumb"]
