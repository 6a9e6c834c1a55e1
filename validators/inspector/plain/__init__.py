"""Plain programs: what they do compiled, beside eager mode. No skill needs it.

In: a plain program. Out: its results beside eager mode.
Imports: inspector.loading, inspector.values, probes, worker.
"""
