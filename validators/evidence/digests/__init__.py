"""What a record is current for: digests of what a proof and the probes that it uses do.

In: Python files. Out: digests of what a proof and its probes do.
Imports: catalog.
"""
