"""Soaks: what a program compiles is called again, often and with other arguments.

In: a fixed program. Out: what it compiled late, and for which arguments.
Imports: inspector.values, probes, worker.
"""
