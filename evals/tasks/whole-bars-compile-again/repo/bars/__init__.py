"""Moods of melodies."""

from bars.model import Bars, build_bars

__all__ = ["Bars", "build_bars"]
