"""A small decoder."""

from scribe.model import Decoder, build_decoder

__all__ = ["Decoder", "build_decoder"]
