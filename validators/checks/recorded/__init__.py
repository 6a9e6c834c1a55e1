"""Checks of what programs recorded: whether it is current, and agrees with what pages expect.

In: evidence and what pages expect. Out: problems, each with its place and a remedy.
Imports: catalog, corpus, environment, evidence, plain, silent.
"""
