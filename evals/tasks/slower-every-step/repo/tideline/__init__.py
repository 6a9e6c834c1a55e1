"""Forecasts of water levels."""

from tideline.model import Forecaster, ForecasterConfig, build_forecaster

__all__ = ["Forecaster", "ForecasterConfig", "build_forecaster"]
