"""Checks of what people wrote: pages, proofs, prose, tables, entries of the log.

In: a catalog. Out: problems, each with its place and a remedy.
"""
