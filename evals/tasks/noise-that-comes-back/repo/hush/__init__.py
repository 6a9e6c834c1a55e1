"""Noise suppression."""

from hush.model import Hush, build_hush

__all__ = ["Hush", "build_hush"]
