"""Speech enhancement in short blocks."""

from hush.model import Hush, build_hush

__all__ = ["Hush", "build_hush"]
