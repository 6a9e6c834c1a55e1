"""Records in files: verdicts, reports, examples and soaks, read and written.

In: a folder of evidence. Out: records, and the same files with one more.
Imports: catalog, environment, probes.
"""
