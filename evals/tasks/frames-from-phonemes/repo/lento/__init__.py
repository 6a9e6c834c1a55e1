"""Frames of speech from phonemes."""

from lento.model import Lento, build_lento

__all__ = ["Lento", "build_lento"]
