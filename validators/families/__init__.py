"""Families: all that the compiler can say, read from torch itself.

A family is a graph break's id, a reason for skipping CUDA graphs, a kind of guard, an exception
class or a warning.
"""

from validators.families.family import KINDS, Family, Kind, Said
from validators.families.stored import load_families, recorded_releases

__all__ = ["KINDS", "Family", "Kind", "Said", "load_families", "recorded_releases"]
