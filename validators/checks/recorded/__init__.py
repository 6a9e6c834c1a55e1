"""Checks of what programs recorded: whether it is current, and agrees with what pages expect.

In: a repository. Out: problems, each with its place and a remedy.
"""
