"""Digits of meters."""

from meterman.model import Color, Gray, Meter, build_meter

__all__ = ["Color", "Gray", "Meter", "build_meter"]
