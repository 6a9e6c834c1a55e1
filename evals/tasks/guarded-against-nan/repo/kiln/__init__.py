"""Temperatures of a furnace."""

from kiln.model import Kiln, build_kiln

__all__ = ["Kiln", "build_kiln"]
