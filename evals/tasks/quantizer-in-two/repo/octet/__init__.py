"""A quantized regression."""

from octet.model import Octet, build_octet

__all__ = ["Octet", "build_octet"]
