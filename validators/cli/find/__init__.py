"""Commands that find what is known: cases by a log, a query or a release, and the agent skills.

They read the catalog and its evidence, and run no program. In: words, files of logs, names of
cases. Out: text or JSON. They may import the rooms of reading, and what all commands share.
"""
