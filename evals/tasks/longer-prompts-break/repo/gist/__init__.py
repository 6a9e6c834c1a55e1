"""A reader of log lines."""

from gist.model import Gist, build_gist

__all__ = ["Gist", "build_gist"]
