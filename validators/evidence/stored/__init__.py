"""Records in files: verdicts, reports, examples and soaks, read and written.

In: a folder of evidence. Out: records. What a record means to a reader is said one room up.
"""
