"""What calls compute: results in parts, how far two are apart, and what rounding may do.

In: results of calls. Out: their parts, and distances between them.
Imports: inspector.loading, probes, worker.
"""
