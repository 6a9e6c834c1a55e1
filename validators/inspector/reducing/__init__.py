"""A failing target made small: its parts as Python, and what a reproducer watches for."""
