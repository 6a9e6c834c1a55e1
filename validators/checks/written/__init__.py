"""Checks of what people wrote: pages, proofs, prose, tables, entries of the log.

In: pages, proofs, prose, entries. Out: problems, each with its place and a remedy.
Imports: catalog, environment, evidence, families, probes.
"""
