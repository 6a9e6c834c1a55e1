"""What a target costs: its first call, warm calls by turns, and options tried one by one.

In: a target. Out: times and counts.
Imports: inspector.calls, inspector.differences, inspector.graphs, inspector.loading, probes,
worker.
"""
