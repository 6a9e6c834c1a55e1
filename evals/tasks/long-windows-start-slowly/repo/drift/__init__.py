"""Drift of sensors."""

from drift.model import Drift, build_drift

__all__ = ["Drift", "build_drift"]
