"""Silent errors: what their programs compute compiled, beside eager mode. No skill needs it.

In: a program of a silent error. Out: what its forms computed.
Imports: inspector.differences, inspector.loading, inspector.values, probes, worker.
"""
