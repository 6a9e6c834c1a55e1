"""Robust regression."""

from sturdy.model import Sturdy, build_sturdy

__all__ = ["Sturdy", "build_sturdy"]
