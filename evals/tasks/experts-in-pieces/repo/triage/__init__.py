"""A routed text classifier."""

from triage.model import Triage, build_triage

__all__ = ["Triage", "build_triage"]
