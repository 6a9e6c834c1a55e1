"""Wrong results: found beside eager mode, and traced to a backend, a pass and a few ops.

In: a target with wrong results. Out: backend, pass and ops, and what avoids it.
Imports: inspector.loading, inspector.values, probes, worker.
"""
