"""A failing target made small: its parts as Python, and what a reproducer watches for.

In: a target that fails. Out: a smaller program, and whether it fails alike.
Imports: inspector.loading, probes, worker.
"""
