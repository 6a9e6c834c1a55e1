"""A minimal script for an upstream issue: find a failure, make the program smaller, check it.

In: a target and what goes wrong in it. Out: one script, checked in a new process.
Imports: diagnose, environment.
"""
