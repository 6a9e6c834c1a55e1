"""Tags of log lines."""

from tagger.model import Tagger, TaggerConfig, build_tagger

__all__ = ["Tagger", "TaggerConfig", "build_tagger"]
