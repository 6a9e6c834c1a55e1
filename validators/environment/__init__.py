"""Where evidence comes from: an interpreter, its torch, a device; found without importing torch."""

from validators.environment.fingerprint import Fingerprint, column_of
from validators.environment.interpreter import Environment, describe

__all__ = ["Environment", "Fingerprint", "column_of", "describe"]
