"""Properties of molecules."""

from molly.model import Molly, build_molly

__all__ = ["Molly", "build_molly"]
