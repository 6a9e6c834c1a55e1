"""Demand curves."""

from meterbox.model import Curve, build_curve

__all__ = ["Curve", "build_curve"]
