"""The calls of a target: made, recorded, replayed with another target, and timed by turns.

In: a target's calls. Out: calls of other sizes, recordings, regions.
Imports: inspector.loading, inspector.values, probes, worker.
"""
