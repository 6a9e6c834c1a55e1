"""A detector of odd packets."""

from sentry_net.model import Detector, build_detector

__all__ = ["Detector", "build_detector"]
