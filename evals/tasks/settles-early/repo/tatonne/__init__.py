"""Prices in balance."""

from tatonne.model import Market, build_market

__all__ = ["Market", "build_market"]
