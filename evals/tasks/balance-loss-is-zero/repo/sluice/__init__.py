"""A mixture of experts for sensor records."""

from sluice.model import Sluice, build_sluice

__all__ = ["Sluice", "build_sluice"]
