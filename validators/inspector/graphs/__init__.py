"""What the compiler makes of a target: graphs, breaks, recompiles, guards, sizes.

In: a target. Out: breaks, recompiles, guards and sizes, as data.
Imports: inspector.calls, inspector.loading, inspector.values, probes, worker.
"""
