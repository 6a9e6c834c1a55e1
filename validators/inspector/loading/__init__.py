"""A user's model: how it is loaded and compiled, and what its own code asks of the compiler.

In: the name of a target. Out: a model and its calls, or why it cannot be used.
Imports: probes, worker.
"""
